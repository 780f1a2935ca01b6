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
 * Result types of methods, and the replacement of a result if a lock cannot be acquired
 * in time: the exception, a fallback, or the empty value of the type. All subpackages of
 * {@code interceptor} except {@code key} import this package; it imports none of them.
 * Begin with {@link io.github.watchdoglock.interceptor.contention.Contention}. Internal;
 * types are public only for those packages.
 */
@NullMarked
package io.github.watchdoglock.interceptor.contention;

import org.jspecify.annotations.NullMarked;
