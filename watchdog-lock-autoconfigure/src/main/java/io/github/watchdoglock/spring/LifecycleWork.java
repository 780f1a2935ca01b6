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

package io.github.watchdoglock.spring;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LeaderWork;

import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;

/**
 * A bean that is started with a term and stopped with it.
 *
 * @param target the bean itself
 * @param name its name
 */
record LifecycleWork(Lifecycle target, String name) implements LeaderWork {

	/*
	 * Also stops the bean if its start fails, because a part of it may have started.
	 */
	@Override
	public void lead(LeaderTerm term) throws Exception {
		try (AutoCloseable stopped = this::stop) {
			this.target.start();
			// The end of the term is an interrupt, which the start may have swallowed.
			while (term.isLeading()) {
				TimeUnit.SECONDS.sleep(1);
			}
			// The interrupt may still arrive, and must not interrupt stop().
			TimeUnit.SECONDS.sleep(1);
		}
	}

	/* Waits as long as the stop takes. An earlier interrupt must not end it. */
	private void stop() {
		var unused = Thread.interrupted();
		if (this.target instanceof SmartLifecycle smart) {
			CompletableFuture<Void> stopped = new CompletableFuture<>();
			smart.stop(() -> stopped.complete(null));
			stopped.join();
		}
		else {
			this.target.stop();
		}
	}

	@Override
	public String toString() {
		return "bean '" + this.name + "'";
	}

}
