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
 * From annotations to what they ask for, translated once for each method, and all that is
 * checked when beans are created. Imported by {@code interceptor} and
 * {@code autoconfigure}; imports the rooms for keys, contention and locks. Begin with
 * {@link io.github.watchdoglock.interceptor.declaration.LockSpecSource}; a new attribute
 * begins in {@code LockSpecReader}. Internal; what is public is so for those two.
 */
@NullMarked
package io.github.watchdoglock.interceptor.declaration;

import org.jspecify.annotations.NullMarked;
