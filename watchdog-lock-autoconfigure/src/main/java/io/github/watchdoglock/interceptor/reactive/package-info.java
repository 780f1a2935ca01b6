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
 * Work that begins with each subscription, which acquires its own locks. Loaded only if
 * Reactor is on the class path. {@code interceptor} and {@code autoconfigure} import this
 * package; it imports {@code interceptor.contention}, {@code interceptor.lock} and
 * {@code listener}. Begin with
 * {@link io.github.watchdoglock.interceptor.reactive.ReactiveSubscriptions}. Internal;
 * types are public only for those two packages.
 */
@NullMarked
package io.github.watchdoglock.interceptor.reactive;

import org.jspecify.annotations.NullMarked;
