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

package io.github.watchdoglock.torture;

/**
 * A time of trouble for one instance or for all.
 *
 * @param instance the instance, {@link #ALL} for all
 * @param from its beginning
 * @param to its end
 */
record Window(int instance, long from, long to) {

	static final int ALL = -1;

	boolean concerns(int instance) {
		return this.instance == ALL || this.instance == instance;
	}

	boolean meets(long from, long to) {
		return this.from < to && from < this.to;
	}

	/* The same trouble, extended by the time for recovery. */
	Window longer(long nanos) {
		return new Window(this.instance, this.from, this.to + nanos);
	}

}
