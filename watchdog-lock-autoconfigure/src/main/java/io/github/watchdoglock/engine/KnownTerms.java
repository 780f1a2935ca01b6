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

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.github.watchdoglock.Lease;

/**
 * The terms of leases. Leases are few where they come from annotations; beyond that they
 * are computed each time. Thread-safe.
 */
final class KnownTerms {

	private static final int MOST = 256;

	private final Map<Lease, Terms> terms = new ConcurrentHashMap<>();

	private final Function<Lease, Terms> source;

	KnownTerms(Function<Lease, Terms> source) {
		this.source = source;
	}

	Terms of(Lease lease) {
		Terms known = this.terms.get(lease);
		if (known != null) {
			return known;
		}
		Terms terms = this.source.apply(lease);
		if (this.terms.size() < MOST) {
			this.terms.put(lease, terms);
		}
		return terms;
	}

}
