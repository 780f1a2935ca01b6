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

package io.github.watchdoglock.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.text.PrintableText;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Takes locks from their holders by force, each time with an audit event that contains
 * the user, the key and the outcome.
 *
 * @param locks takes the locks
 * @param instance the label of this instance
 * @param events publishes the audit events
 * @param keys sanitizes ids as the endpoint does
 */
record ForcedReleases(LockService locks, Supplier<String> instance, ApplicationEventPublisher events, ShownKeys keys) {

	static final String TYPE = "LOCK_FORCE_RELEASE";

	boolean force(LockKey key, @Nullable String principal, boolean shown) {
		try {
			boolean released = this.locks.forceRelease(key);
			audit(key, principal, shown, released ? "released" : "not-held");
			return released;
		}
		catch (LockStoreException ex) {
			// It may have been released nevertheless.
			audit(key, principal, shown, "unknown");
			throw ex;
		}
	}

	private void audit(LockKey key, @Nullable String principal, boolean shown, String outcome) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("name", key.name());
		String id = id(key, shown);
		if (id != null) {
			data.put("key", id);
		}
		data.put("outcome", outcome);
		data.put("instance", this.instance.get());
		this.events
			.publishEvent(new AuditApplicationEvent(new AuditEvent((principal != null) ? principal : "", TYPE, data)));
	}

	/* An id that watchdog-lock.show-keys has hidden is not sanitized a second time. */
	private @Nullable String id(LockKey key, boolean shown) {
		String id = key.printableId(Integer.MAX_VALUE);
		if (id == null || !id.equals(key.shownBy(null).printableId(Integer.MAX_VALUE))) {
			return id;
		}
		return PrintableText.of(String.valueOf(this.keys.id(key, shown)), Integer.MAX_VALUE);
	}

}
