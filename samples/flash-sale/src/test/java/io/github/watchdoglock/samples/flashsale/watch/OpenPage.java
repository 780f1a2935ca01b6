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
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The sample and a browser with its page. With {@code -Dpictures=true}, tests write
 * pictures to {@code docs/images}.
 */
abstract class OpenPage {

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

	static final String WAITED = "The second customer had to wait for the end of the first one's transaction";

	static ShopInstance shop;

	static Browser browser;

	static Path data;

	static int redisPort;

	static boolean isBrowserInstalled() {
		if (!Browser.isInstalled()) {
			System.out.println("The tests of the sample's page did not run: there is no chromium or no chromedriver"
					+ " on the path (Debian: chromium, chromium-driver)");
			return false;
		}
		return true;
	}

	@BeforeAll
	static void start(@TempDir Path data, @TempDir Path profile, TestInfo test) throws IOException {
		OpenPage.data = data;
		redisPort = ShopInstance.freePort();
		shop = ShopInstance.start(name(test), data, redisPort);
		browser = Browser.start(profile);
		shop.awaitReady();
	}

	@AfterAll
	static void stop(TestInfo test) {
		browser.close();
		shop.close();
		assertThat(Path.of(System.getProperty("flash-sale.output"), name(test) + ".log")).content()
			.doesNotContain("Destroy method on bean");
	}

	private static String name(TestInfo test) {
		return test.getTestClass().orElseThrow().getSimpleName();
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

	static void loseTheLock(String sku, String button, String result) {
		browser.click("#last label:has([data-card=" + sku + "])");
		browser.click(button);
		waiting().until(() -> isDisabled(button));
		waiting().until(() -> !isDisabled(button) && browser.text("#last-said").startsWith(result));
	}

	private static boolean isDisabled(String button) {
		return browser.script("return document.querySelector('" + button + "').disabled").asBoolean();
	}

	static void sell(boolean locked) {
		browser.click("#rush label:nth-of-type(" + (locked ? 2 : 1) + ")");
		browser.click("#rush button");
		waiting().until(() -> browser.text("#said").contains(" customers bought "));
	}

	static ConditionFactory waiting() {
		return await().atMost(Duration.ofSeconds(30));
	}

	static void picture(String name) throws IOException {
		picture(name, 0, browser.script("return document.documentElement.scrollHeight").asInt());
	}

	static void picture(String name, int top, int bottom) throws IOException {
		if (Boolean.getBoolean("pictures")) {
			browser.picture(Path.of("../../docs/images", name + ".png"), top, bottom);
		}
	}

}
