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

package io.github.watchdoglock.samples.flashsale;

import io.github.watchdoglock.annotation.LeaderOnly;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;

/**
 * A report that only the leader writes: at three in the night, all instances call the
 * method, and it returns at once in all instances except the leader.
 */
@Service
public class NightlyReport {

	/** The role of the instance that writes the report. */
	public static final String ROLE = "nightly-report";

	private static final Log logger = LogFactory.getLog(NightlyReport.class);

	private final Inventory inventory;

	NightlyReport(Inventory inventory) {
		this.inventory = inventory;
	}

	@LeaderOnly(ROLE)
	@Scheduled(cron = "${flash-sale.nightly-report}")
	public void write() {
		logger.info("Sold until now: " + this.inventory.sold());
	}

}
