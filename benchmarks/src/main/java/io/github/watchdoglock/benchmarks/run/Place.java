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

package io.github.watchdoglock.benchmarks.run;

import java.io.IOException;
import java.nio.file.Path;

import io.github.watchdoglock.benchmarks.worker.ExclusionCells;

/**
 * Where it is measured.
 *
 * @param folder for what is written meanwhile
 * @param server the Redis
 * @param redis what asks that Redis
 * @param cells what checks locks in all JVMs
 * @param classPath where JVMs have their classes from
 * @param quick whether JVMs need not be as fast as they can be
 */
record Place(Path folder, RedisProcess server, RedisAdmin redis, ExclusionCells cells, ClassPath classPath,
		boolean quick) {

	private static final String CELLS = "cells";

	static Place of(Path folder, RedisProcess server, RedisAdmin redis, Options options) throws IOException {
		return new Place(folder, server, redis, ExclusionCells.map(folder.resolve(CELLS)),
				ClassPath.here(options.before()), options.settings().quick());
	}

	String cellsFile() {
		return this.folder.resolve(CELLS).toString();
	}

}
