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

import java.nio.file.Path;
import java.util.List;

/**
 * The environment of a measurement.
 *
 * @param folder the folder for files of the run
 * @param redis the server
 * @param database the URL of the database; empty if there is none
 * @param cells the checks of locks in all JVMs, one for each key
 * @param options the options of the run
 */
record Place(Path folder, Redis redis, String database, List<ExclusionCell> cells, Options options) {

	static final String CELLS = "cells";

}
