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
 * Locks around annotated methods of beans. The subpackages contain the parts of a call.
 * Only {@code autoconfigure} imports this package. Begin with
 * {@link io.github.watchdoglock.interceptor.LockInterceptor}, which names the steps of a
 * call in their order. Internal; types are public only for {@code autoconfigure}.
 */
@NullMarked
package io.github.watchdoglock.interceptor;

import org.jspecify.annotations.NullMarked;
