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
 * What a method returns, and what its caller gets instead when a lock is not to be had in
 * time: the exception, a fallback, or what is empty of its type. Imported by all rooms of
 * {@code interceptor} but keys; imports none of them. Begin with
 * {@link io.github.watchdoglock.interceptor.contention.Contention}. Internal; what is
 * public is so for those rooms.
 */
@NullMarked
package io.github.watchdoglock.interceptor.contention;

import org.jspecify.annotations.NullMarked;
