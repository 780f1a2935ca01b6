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
 * Leases in the Redis that the application already has: scripts, their answers, and the
 * connections that carry them. This package implements the port in {@code store}; only
 * {@code autoconfigure} imports it. Begin with {@link RedisLocks}, then read
 * {@code RedisLeaseStore} for the way of a command and {@code ScriptConnection} for
 * connections that break. Internal: types are public only for {@code autoconfigure}, and
 * those of subpackages only for packages above them.
 */
@NullMarked
package io.github.watchdoglock.redis;

import org.jspecify.annotations.NullMarked;
