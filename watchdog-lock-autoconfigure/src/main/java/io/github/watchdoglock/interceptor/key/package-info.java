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
 * Keys and conditions: expressions that are parsed, and refused, when a bean is created,
 * and computed for each call. Imported by {@code interceptor.declaration}; imports no
 * other room. Begin with
 * {@link io.github.watchdoglock.interceptor.key.LockExpressionParser}. Internal; what is
 * public is so for that room.
 */
@NullMarked
package io.github.watchdoglock.interceptor.key;

import org.jspecify.annotations.NullMarked;
