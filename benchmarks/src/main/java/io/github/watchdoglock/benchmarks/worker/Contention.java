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

package io.github.watchdoglock.benchmarks.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Callers take and release locks until a span is over.
 *
 * @param key the key, or what keys begin with
 * @param ownKeys whether each caller has a key of its own
 * @param callers how many callers the instances have, those of other JVMs included
 * @param work how long a lock is held
 * @param span what is measured; what comes before is for getting going
 * @param cells the file for the checks, or where there is none yet
 */
@SuppressWarnings("ArrayRecordComponent")
public record Contention(String key, boolean ownKeys, int[] callers, Duration work, Span span,
		String cells) implements Task<ContentionResult> {

	private static final Duration ENDING = Duration.ofSeconds(60);

	@Override
	public ContentionResult run(Workplace place) throws Exception {
		ExclusionCells mapped = ExclusionCells.map(Path.of(this.cells));
		List<Caller> started = new ArrayList<>();
		int number = 0;
		for (int instance = 1; instance <= this.callers.length; instance++) {
			int index = instance - place.first();
			for (int i = 0; i < this.callers[instance - 1]; i++) {
				number++;
				if (index >= 0 && index < place.instances().size()) {
					String own = this.ownKeys ? this.key + "-" + number : this.key;
					started.add(new Caller(place.instances().get(index), own, instance, number,
							mapped.cell(this.ownKeys ? number : 0), this));
				}
			}
		}
		started.forEach(Caller::start);
		long cpu = ProcessCpu.nanosDuring(this.span);
		long deadline = System.nanoTime() + ENDING.toNanos();
		for (Caller caller : started) {
			caller.await(deadline);
		}
		return ContentionResult.of(started.stream().map(Caller::result).toList(), cpu);
	}

}
