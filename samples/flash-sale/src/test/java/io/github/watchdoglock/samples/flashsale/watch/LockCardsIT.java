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

import io.github.watchdoglock.samples.flashsale.ShopInstance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the cards of locks and instances on the page.
 */
@EnabledIf("isBrowserInstalled")
class LockCardsIT extends OpenPage {

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

	/* Of the two cards on the front page. */
	private static int edge(String edge) {
		return browser.script("return document.querySelector('#sales').getBoundingClientRect()." + edge + " + scrollY")
			.asInt();
	}

}
