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
 * Translation of annotations to requests, once for each method, and the checks when beans
 * are created. {@code interceptor} and {@code autoconfigure} import this package; it
 * imports {@code interceptor.key}, {@code interceptor.contention} and
 * {@code interceptor.lock}. Begin with
 * {@link io.github.watchdoglock.interceptor.declaration.LockSpecSource}; to add an
 * attribute, begin with {@code LockSpecReader}. Internal; types are public only for those
 * two packages.
 */
@NullMarked
package io.github.watchdoglock.interceptor.declaration;

import org.jspecify.annotations.NullMarked;
