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
 * The lock service: callers wait here, and leases are renewed and handed on from caller
 * to caller. Needs the JDK only, neither Spring nor Redis. Internal; only {@code
 * autoconfigure}, {@code actuate} and the starter for tests import it. Begin with {@code
 * LockEngine}, then {@code LocalLock}; the page {@code contributing/architecture.md}
 * lists its types in their order.
 */
@NullMarked
package io.github.watchdoglock.engine;

import org.jspecify.annotations.NullMarked;
