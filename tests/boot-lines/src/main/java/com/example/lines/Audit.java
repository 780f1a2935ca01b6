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

package com.example.lines;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.event.LockAcquiredEvent;
import io.github.watchdoglock.event.LockEvent;
import io.github.watchdoglock.event.LockLostEvent;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * The notifications that an application receives about its locks.
 */
@Component
class Audit implements ObservationHandler<Observation.Context> {

	private final List<String> heard = new CopyOnWriteArrayList<>();

	@EventListener
	void on(LockEvent event) {
		LockKey key = event.key();
		if (event instanceof LockAcquiredEvent) {
			this.heard.add("acquired " + key);
		}
		if (event instanceof LockLostEvent lost) {
			this.heard.add("lost " + key + " " + lost.reason());
		}
	}

	@Override
	public void onStop(Observation.Context context) {
		this.heard.add("observed " + context.getName());
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return true;
	}

	List<String> heard() {
		return this.heard;
	}

}
