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

/**
 * Connections to Redis that break: opening them again, with a delay, and what is said
 * about it in exceptions and log lines. Begin with {@link ReconnectingConnection} and
 * {@link StoreFailures}. Internal: types are public only for {@code redis},
 * {@code sentinel} and {@code survey}.
 */
@NullMarked
package io.github.watchdoglock.redis.connection;

import org.jspecify.annotations.NullMarked;
