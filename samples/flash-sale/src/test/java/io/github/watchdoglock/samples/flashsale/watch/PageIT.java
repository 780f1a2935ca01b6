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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the sales on the page, and for the page in any browser.
 */
@EnabledIf("isBrowserInstalled")
class PageIT extends OpenPage {

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

	private static String outline() {
		return browser.script("""
				let it = document.activeElement;
				return getComputedStyle(it.matches('input') ? it.nextElementSibling : it).outlineStyle""").asString();
	}

	private static String background() {
		return browser.script("return getComputedStyle(document.body).backgroundColor").asString();
	}

}
