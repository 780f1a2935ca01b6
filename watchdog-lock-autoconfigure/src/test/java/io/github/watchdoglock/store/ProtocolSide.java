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
 * A store, and what a test needs besides to show what it does.
 */
public interface ProtocolSide {

	/* What stands for no record. */
	String ABSENT = "–";

	/* Give a key a record, as the document writes it. */
	void put(LockKey key, String record);

	/* The record of a key, as the document writes it. */
	String record(LockKey key, ProtocolText words);

	/* The messages about a key since it was put. */
	List<String> told(LockKey key);

	/* The clock at which tokens begin. */
	long micros();

	LeaseStore store();

	LeaseInspector inspector();

}
