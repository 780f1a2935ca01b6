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

package io.github.watchdoglock.interceptor;

import java.util.List;

import org.reactivestreams.Publisher;

/**
 * What is done under locks for each subscription.
 */
interface ReactiveWork {

	/* The locks that it needs, in the order in which they are taken. */
	List<WantedLock> wanted();

	/* They are held. */
	Publisher<Object> begin(HeldLocks held);

	/* One of them was not to be had in time. */
	Publisher<Object> refused(Refusal refusal);

}
