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

package io.github.watchdoglock.store;

import java.util.List;

import io.github.watchdoglock.LockKey;

/**
 * A store, and the operations that a test needs to inspect it.
 */
public interface ProtocolSide {

	/* The notation for no record. */
	String ABSENT = "–";

	/* Give a key a record, in the notation of the document. */
	void put(LockKey key, String record);

	/* Return the record of a key, in the notation of the document. */
	String record(LockKey key, ProtocolText words);

	/* Return the messages about a key since its record was put. */
	List<String> told(LockKey key);

	/* Return the clock value at which tokens begin. */
	long micros();

	LeaseStore store();

	LeaseInspector inspector();

}
