/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.watchdoglock.samples.flashsale.watch;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

import io.github.watchdoglock.samples.flashsale.ShopInstance;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the page at {@code /} in a browser. With {@code -Dpictures=true} they write
 * pictures to {@code docs/images}.
 */
@Tag("browser")
@EnabledIf("isBrowserInstalled")
class PageIT {

	/* Compares the cards with each other each time a snapshot is shown. */
	private static final String NOTE_CONTRADICTIONS = """
			window.contradictions = [];
			const shown = show, text = (selector, root = document) => root.querySelector(selector).textContent;
			window.show = (next) => {
				shown(next);
				const outage = text('#outage'), found = [];
				if (outage.startsWith(next.redisAnswers ? 'Redis does not answer' : 'Redis answers')) found.push(outage);
				for (const card of document.querySelectorAll('#locks article')) {
					const key = text('code', card), badge = text('.badge', card), note = text('.note', card);
					const holding = [...document.querySelectorAll('#instances .holds')]
						.filter((card) => card.textContent.replace(/works without.*/, '').includes(key)).length;
					if (badge === 'free' && (holding || text('.waiting', card) !== '0')) found.push(key + ' is free, and not');
					if (/held|leads|at risk/.test(badge) !== holding > 0) found.push(key + ' is ' + badge + ', held by ' + holding);
					if (badge === 'held' && note && !/working without/.test(text('.holder', card))) found.push(note);
					if (badge === 'lost' && note && !/lost its/.test(note)) found.push(key + ' is lost: ' + note);
					if ((badge === 'at risk') === next.redisAnswers && holding) found.push(key + ' is ' + badge);
				}
				if (found.length) contradictions.push(found.join('; '));
			};
			""";

	private static final String WAITED = "The second customer had to wait for the end of the first one's transaction";

	private static ShopInstance shop;

	private static Browser browser;

	private static Path data;

	private static int redisPort;

	static boolean isBrowserInstalled() {
		if (!Browser.isInstalled()) {
			System.out
				.println("PageIT did not run, the tests of the sample's page: there is no chromium or no chromedriver"
						+ " on the path (Debian: chromium, chromium-driver)");
			return false;
		}
		return true;
	}

	@BeforeAll
	static void start(@TempDir Path data, @TempDir Path profile) throws IOException {
		PageIT.data = data;
		redisPort = ShopInstance.freePort();
		shop = ShopInstance.start("page-1", data, redisPort);
		browser = Browser.start(profile);
		shop.awaitReady();
	}

	@AfterAll
	static void stop() {
		browser.close();
		shop.close();
		assertThat(Path.of(System.getProperty("flash-sale.output"), "page-1.log")).content()
			.doesNotContain("Destroy method on bean");
	}

	@BeforeEach
	void open() {
		browser.resize(1200, 1000);
		browser.prefer("light");
		browser.open(shop.url() + "/");
		waiting().until(() -> browser.text("#connection").equals("live") && browser.count("#lock-nightly-report") == 1);
		browser.script(NOTE_CONTRADICTIONS);
	}

	@AfterEach
	void nothingWentWrongInThePage() {
		assertThat(browser.script("return contradictions")).isEmpty();
		assertThat(browser.messages()).isEmpty();
	}

	@Test
	void pageLoadsNothingFromOtherOrigins() {
		assertThat(browser.script("return document.title").asString()).isEqualTo("Flash sale");
		assertThat(browser.script(
				"return performance.getEntriesByType('resource').filter(e => !e.name.startsWith(location.origin)).length")
			.asInt()).isZero();
		waiting().until(() -> browser.count("#instances article") == 1);
		assertThat(browser.script("return document.querySelector('#pause').hidden").asBoolean()).isTrue();
		assertThat(browser.text("#instances code")).isEqualTo(shop.url().replace("http://", ""));
	}

	@Test
	void saleWithoutLockShowsOversoldPhones() throws IOException {
		sell(false);
		assertThat(browser.number("#without-lock .sold")).isGreaterThan(100);
		assertThat(browser.count("#without-lock .there .sold")).isEqualTo(100);
		assertThat(browser.count("#without-lock .beyond i")).isEqualTo(browser.number("#without-lock .sold") - 100);
		assertThat(browser.text("#without-lock .badge"))
			.isEqualTo((browser.number("#without-lock .sold") - 100) + " oversold");
		assertThat(browser.text("#without-lock .stock"))
			.matches("Remaining stock in the database: \\d+ \\(lost updates\\)");
		assertThat(shop.get("/stock/without-lock").body()).contains("\"sold\":" + browser.text("#without-lock .sold"));
		picture("without-lock");
	}

	@Test
	void saleWithLockSellsExactlyItsStock() throws IOException {
		sell(true);
		// If Redis is slow, the page asks some customers to try again
		assertThat(browser.text("#said")).startsWith("100 customers bought one of 100 phones, ");
		waiting().until(() -> browser.number("#with-lock .sold") == 100);
		assertThat(browser.count("#with-lock .beyond i")).isZero();
		assertThat(browser.text("#with-lock .badge")).isEqualTo("exactly 100 sold");
		assertThat(browser.text("#with-lock .stock")).isEqualTo("Remaining stock in the database: 0");
		picture("with-lock");
	}

	@Test
	void codeOfLockedSaleDiffersByAnnotationOnly() {
		assertThat(browser.script("""
				const lines = (sku) => document.querySelector('#' + sku + ' pre').textContent.split('\\n');
				return lines('with-lock').filter((line) => !lines('without-lock').includes(line)).join('; ')""")
			.asString()).isEqualTo("@DistributedLock(name = \"flash-sale\", key = \"#sku\")");
	}

	@Test
	void restartOfRedisSellsThePhoneTwiceUnderAPlainLease() {
		String outage = browser.text("#outage");
		loseTheLock("plain", "#restart", "Both customers bought the only phone: oversold by 1.");
		assertThat(browser.text("#events")).contains("Redis restarted without its data", "The sale lost its lock");
		assertThat(browser.text("#plain .badge")).isEqualTo("oversold by 1");
		assertThat(browser.text("#plain .logged")).startsWith("Logged: WARN Lock 'plain-stock:plain' ")
			.contains(" was lost after ");
		assertThat(browser.text("#outage")).as("what is said about the latest outage").isEqualTo(outage);
	}

	@Test
	void restartOfRedisRollsBackTheFirstSaleByDefault() throws IOException {
		loseTheLock("checked", "#restart", "The first customer's sale was rolled back because its lock was lost");
		assertThat(browser.text("#checked .badge")).isEqualTo("exactly 1 sold");
		assertThat(browser.text("#checked .logged")).startsWith("Logged: WARN Lock 'stock:checked' ");
		picture("restarted-redis");
	}

	@Test
	void deletedLockSellsThePhoneOnceWithAFence() {
		loseTheLock("fenced", "#forget", WAITED);
		assertThat(browser.text("#events")).contains("Redis forgot stock:fenced", "The sale lost its lock");
		assertThat(browser.text("#fenced .badge")).isEqualTo("exactly 1 sold");
		assertThat(shop.get("/stock/fenced").body()).isEqualTo("{\"sku\":\"fenced\",\"stock\":0,\"sold\":1}");
	}

	@Test
	void pageCanBeOperatedByKeyboardAlone() {
		browser.press(Browser.TAB);
		assertThat(browser.script("return document.activeElement.textContent").asString()).isEqualTo("documentation");
		browser.press(Browser.TAB);
		assertThat(outline()).isEqualTo("solid");
		browser.press(Browser.RIGHT);
		browser.press(Browser.TAB);
		assertThat(outline()).isEqualTo("solid");
		browser.press(Browser.ENTER);
		waiting().until(() -> browser.text("#said").startsWith("100 customers bought"));
		assertThat(browser.script("return document.activeElement.textContent").asString())
			.isEqualTo("Send 400 customers");
	}

	@Test
	void secondInstanceIsShownAndSharesLocksUntilClosed() throws IOException {
		try (ShopInstance second = ShopInstance.start("page-2", data, redisPort)) {
			second.awaitReady();
			waiting().until(() -> browser.count("#instances article") == 2);
			waiting().until(() -> !browser.script("return document.querySelector('#pause').hidden").asBoolean());
			pauseTheSecondInstance();
			sell(false);
			sell(true);
			waiting().until(() -> browser.number("#instances article:nth-child(1) .handedOnElsewhere")
					+ browser.number("#instances article:nth-child(2) .handedOnElsewhere") > 0);
			assertThat(browser.text("#with-lock .badge")).isEqualTo("exactly 100 sold");
			picture("two-instances");
			picture("sample", edge("top") - 6, edge("bottom") + 6);
			theLeaderResigns();
			browser.click("#export");
			browser.click("#report");
			int renewals = browser.number("#instances article:nth-child(1) .renewals");
			waiting().until(() -> browser.number("#instances article:nth-child(1) .renewals") > renewals + 2);
		}
		waiting().until(() -> browser.count("#instances article") == 1);
	}

	@Test
	void allHoldersOfExportPermitsAreShown() {
		String card = "#lock-sales-export ";
		browser.click("#export");
		browser.click("#export");
		String here = shop.url().replace("http://", "");
		waiting().until(() -> browser.count(card) == 1);
		waiting().until(() -> browser.text(card + ".holder").equals("Held by " + here + ", " + here));
		waiting().until(() -> browser.text(card + ".badge").equals("2 of 2 held"));
		browser.click("#export");
		waiting().until(() -> browser.text("#asked").equals("Refused: two exports were already being written."));
		waiting().until(() -> browser.text(card + ".holder").equals("No instance holds it"));
		assertThat(browser.messages()).singleElement().asString().contains("/export?seconds=5", "status of 503");
	}

	@Test
	void lossOfReportLockIsShownInsteadOfSuccess() throws IOException {
		// Another test may have left a report behind, whose release would fail meanwhile.
		waiting().until(() -> browser.count("#lock-sales-report") == 0
				|| browser.text("#lock-sales-report .badge").equals("free"));
		browser.click("#freeze-long");
		waiting().until(() -> browser.text("#instances .badge").equals("at risk"));
		waiting().until(() -> browser.text("#lock-sales-report .badge").equals("lost"));
		String loss = "The report lost its lock after \\d\\.\\d s and went on without it\\.";
		waiting()
			.until(() -> browser.text("#outage").matches("Redis does not answer: no lease can be renewed. " + loss));
		assertThat(browser.text("#lock-sales-report .holder")).endsWith(" is still working without it");
		assertThat(browser.text("#instances .holds")).contains("works without sales-report");
		assertThat(browser.count("#events .bad")).isPositive();
		picture("frozen-redis");
		waiting().until(() -> browser.text("#outage").matches("Redis answers again. " + loss));
		waiting().until(() -> browser.text("#lock-sales-report .badge").equals("free"));
		assertThat(browser.text("#lock-sales-report .note")).as("note, with events: %s", browser.text("#events"))
			.matches(loss);
		browser.click("#report");
		waiting().until(() -> browser.text("#lock-sales-report .note").startsWith("The report is written"));
	}

	@Test
	void freezeIsDisabledWithReasonForForeignRedis() {
		assertThat(browser.script("""
				show({ ...snapshot, instances: snapshot.instances.map((one) => ({ ...one, startedRedis: false })) });
				return document.querySelector('#freeze-long').disabled
					&& document.querySelector('#outage').textContent""").asString())
			.startsWith("The page can't freeze or restart this Redis");
	}

	@Test
	void pageFitsNarrowScreenWithoutOverflow() throws IOException {
		browser.resize(390, 800);
		assertThat(browser.script("return document.documentElement.scrollWidth").asInt()).isEqualTo(390);
		assertThat(browser.script("""
				return [...document.querySelectorAll('button, article, p')]
					.filter(e => e.getBoundingClientRect().right > 390).length""").asInt()).isZero();
		sell(false);
		assertThat(browser
			.script("""
					return [...document.querySelectorAll('.demo article')].filter(e => e.offsetHeight).map(e => e.id).join()""")
			.asString()).isEqualTo("without-lock,plain");
		picture("narrow");
	}

	@Test
	void pageIsDarkWhenBrowserPrefersDark() throws IOException {
		String light = background();
		browser.prefer("dark");
		assertThat(background()).isNotEqualTo(light).isEqualTo("rgb(16, 19, 22)");
		picture("dark");
	}

	/* Whichever instance leads, the other one leads afterwards. */
	private static void theLeaderResigns() {
		waiting().until(() -> browser.text("#lock-nightly-report .badge").equals("leads")
				&& browser.number("#lock-nightly-report .waiting") == 1
				&& !browser.text("#lock-nightly-report .term").equals("–"));
		String leader = browser.text("#lock-nightly-report .holder");
		String since = browser.text("#lock-nightly-report .term");
		browser.click("#resign");
		waiting().until(() -> browser.text("#lock-nightly-report .holder").startsWith("Led by 127.0.0.1:")
				&& !browser.text("#lock-nightly-report .holder").equals(leader)
				&& !browser.text("#lock-nightly-report .term").equals("–"));
		assertThat(browser.text("#lock-nightly-report .term")).isGreaterThanOrEqualTo(since);
		waiting().until(() -> browser.text("#events").contains("Resigned as leader of nightly-report"));
	}

	/*
	 * Longer than its lease, so that the instance disappears from the page for a while.
	 */
	private static void pauseTheSecondInstance() {
		loseTheLock("fenced", "#pause", WAITED);
		assertThat(browser.text("#fenced .badge")).isEqualTo("exactly 1 sold");
		assertThat(browser.text("#events")).contains("Paused 127.0.0.1:");
		waiting().until(() -> browser.count("#instances article") == 2);
	}

	private static void loseTheLock(String sku, String button, String result) {
		browser.click("#last label:has([data-card=" + sku + "])");
		browser.click(button);
		waiting().until(() -> isDisabled(button));
		waiting().until(() -> !isDisabled(button) && browser.text("#last-said").startsWith(result));
	}

	private static boolean isDisabled(String button) {
		return browser.script("return document.querySelector('" + button + "').disabled").asBoolean();
	}

	private static void sell(boolean locked) {
		browser.click("#rush label:nth-of-type(" + (locked ? 2 : 1) + ")");
		browser.click("#rush button");
		waiting().until(() -> browser.text("#said").contains(" customers bought "));
	}

	private static String outline() {
		return browser.script("""
				let it = document.activeElement;
				return getComputedStyle(it.matches('input') ? it.nextElementSibling : it).outlineStyle""").asString();
	}

	private static String background() {
		return browser.script("return getComputedStyle(document.body).backgroundColor").asString();
	}

	private static ConditionFactory waiting() {
		return await().atMost(Duration.ofSeconds(30));
	}

	/* Of the two cards on the front page. */
	private static int edge(String edge) {
		return browser.script("return document.querySelector('#sales').getBoundingClientRect()." + edge + " + scrollY")
			.asInt();
	}

	private static void picture(String name) throws IOException {
		picture(name, 0, browser.script("return document.documentElement.scrollHeight").asInt());
	}

	private static void picture(String name, int top, int bottom) throws IOException {
		if (Boolean.getBoolean("pictures")) {
			browser.picture(Path.of("../../docs/images", name + ".png"), top, bottom);
		}
	}

}
