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

package io.github.watchdoglock.engine;

import org.jspecify.annotations.Nullable;

/**
 * What had a grant before: a hold that was closed, or nobody for a while. Methods are
 * parts of a step of the cohort.
 */
interface Predecessor {

	Grant grant();

	/* Whether its deadline may be that of a lease which had another margin. */
	boolean strengthened();

	/*
	 * Keep the grant, which nobody waits for here; false where it is not to be kept.
	 */
	boolean linger();

	/* Whether nobody is to have the key yet. */
	boolean keepsKey();

	/* Whether a caller of this instance may have it though others wait elsewhere. */
	boolean mayHandOn(long now);

	/* A caller of this instance has it. */
	void handOn();

	/* The store does not know it any more. */
	void foundGone();

	/* Have the store told; an attempt may take the last place with that. */
	void release(@Nullable Attempt requeued);

}
