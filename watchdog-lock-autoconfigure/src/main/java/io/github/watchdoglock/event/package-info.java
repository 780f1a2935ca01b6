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
 * Application events about the locks and terms of this instance, published by the package
 * {@code spring}. All types of this package are API. Events of locks are
 * {@link io.github.watchdoglock.event.LockEvent}s, and events of terms
 * {@link io.github.watchdoglock.event.LeadershipEvent}s.
 */
@NullMarked
package io.github.watchdoglock.event;

import org.jspecify.annotations.NullMarked;
