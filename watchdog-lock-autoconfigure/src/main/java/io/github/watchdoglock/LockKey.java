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

package io.github.watchdoglock;

import java.util.Comparator;
import java.util.Objects;
import java.util.function.UnaryOperator;

import io.github.watchdoglock.text.PrintableText;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a lock: two requests with equal keys exclude each other, in whichever
 * instance they are made. Immutable.
 */
public final class LockKey implements Comparable<LockKey> {

	private static final Comparator<LockKey> ORDER = Comparator.comparing(LockKey::name)
		.thenComparing(LockKey::id, Comparator.nullsFirst(Comparator.naturalOrder()))
		.thenComparing(LockKey::isRole);

	private static final String ROLE = "%role";

	private static final int MAX_NAME = 255;

	private static final int MAX_ROLE = 80;

	private final String name;

	private final @Nullable String id;

	private final boolean role;

	/* Null shows the id as it is. No part of the identity. */
	private final @Nullable UnaryOperator<String> display;

	private LockKey(String name, @Nullable String id) {
		if (name == null || name.isBlank()) {
			throw new LockKeyException("'name' of a lock must not be blank: give it a fixed name, such as \"orders\"");
		}
		if (name.length() > MAX_NAME) {
			throw new LockKeyException("'name' of a lock may have at most " + MAX_NAME + " characters, and has "
					+ name.length() + ": use a shorter name, and an 'id' for what differs between calls");
		}
		if (id != null && id.isBlank()) {
			throw new LockKeyException("'id' of lock '" + PrintableText.of(name)
					+ "' must not be blank: all such callers would share one lock; use LockKey.of(name) if that is meant");
		}
		ensureWellFormed(name);
		if (id != null) {
			ensureWellFormed(id);
		}
		this.name = name;
		this.id = id;
		this.role = false;
		this.display = null;
	}

	/* Half of a surrogate pair cannot be stored: keys that differ would become one. */
	private static void ensureWellFormed(String text) {
		int point;
		for (int i = 0; i < text.length(); i += Character.charCount(point)) {
			point = text.codePointAt(i);
			if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
				throw new LockKeyException("'" + PrintableText.of(text)
						+ "' has half of a character (a lone surrogate), and cannot be a part of a key");
			}
		}
	}

	private LockKey(String role) {
		if (role == null || role.isBlank() || role.length() > MAX_ROLE) {
			throw new LockKeyException("A role must have a name, of at most " + MAX_ROLE + " characters, and not '"
					+ PrintableText.of(String.valueOf(role)) + "'");
		}
		ensureWellFormed(role);
		this.name = ROLE;
		this.id = role;
		this.role = true;
		this.display = null;
	}

	private LockKey(LockKey key, @Nullable UnaryOperator<String> display) {
		this.name = key.name;
		this.id = key.id;
		this.role = key.role;
		this.display = display;
	}

	/**
	 * The key of a lock that has a name and no id.
	 * @param name the name, not blank, of at most 255 characters
	 * @return the key
	 * @throws LockKeyException if the name is null, blank or longer, or has a lone
	 * surrogate
	 */
	public static LockKey of(String name) {
		return new LockKey(name, null);
	}

	/**
	 * The key of one of the locks of a name.
	 * @param name the name, not blank, of at most 255 characters
	 * @param id the id, not blank; null for the lock without an id
	 * @return the key
	 * @throws LockKeyException if the name is null, blank or longer, the id blank, or one
	 * has a lone surrogate
	 */
	public static LockKey of(String name, @Nullable String id) {
		return new LockKey(name, id);
	}

	/**
	 * The key of one of the locks of a name that is told apart by several things, such as
	 * a tenant and a number. Keys of different parts differ:
	 * {@code of("orders", "a:b", "c")} is not {@code of("orders", "a", "b:c")}.
	 * @param name the name, not blank, of at most 255 characters
	 * @param first the first part: an object whose text identifies it
	 * @param second the second part
	 * @param more further parts
	 * @return the key, its id that of {@link #idOf(Object...)}
	 * @throws LockKeyException if the name is null, blank or longer, or a part has no
	 * text
	 */
	public static LockKey of(String name, Object first, Object second, Object... more) {
		Object[] parts = new Object[more.length + 2];
		parts[0] = first;
		parts[1] = second;
		System.arraycopy(more, 0, parts, 2, more.length);
		return new LockKey(name, KeyParts.join(parts));
	}

	/**
	 * The key by which instances elect the leader of a role: no lock of any name has it,
	 * nor is it to be acquired but by a {@link LeaderElection}. Its name is {@code %role}
	 * and its id the role.
	 * @param role the role, not blank, of at most 80 characters
	 * @return the key
	 * @throws LockKeyException if the role is null, blank or longer, or has a lone
	 * surrogate
	 */
	public static LockKey ofRole(String role) {
		return new LockKey(role);
	}

	/**
	 * The id that several things have together: the text of each, with {@code %} and
	 * {@code :} percent-encoded, joined by {@code :}. Different texts have different ids;
	 * they are compared as they are, so that {@code 1.0} and {@code 1.00} differ.
	 * @param parts at least one object whose text identifies it, an {@code Optional}
	 * standing for what is in it; neither collections nor arrays
	 * @return the id
	 * @throws LockKeyException if there is no part, or if one is null, empty or blank, a
	 * collection or an array, or an object that has no {@code toString} of its own
	 */
	public static String idOf(Object... parts) {
		return KeyParts.join(parts);
	}

	/**
	 * The name, fixed in the code and bounded in number.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * What comes from arguments, unbounded in number.
	 * @return the id; null for the one lock that has the name alone
	 */
	public @Nullable String id() {
		return this.id;
	}

	/**
	 * Whether it is a role's, and no lock's.
	 * @return whether {@link #ofRole(String)} has made it
	 */
	public boolean isRole() {
		return this.role;
	}

	/**
	 * The same key, equal to this one, whose id stands otherwise in messages and logs.
	 * @param display what stands there for an id; null for the id itself
	 * @return the key
	 */
	public LockKey shownBy(@Nullable UnaryOperator<String> display) {
		return (this.display != display && !this.role) ? new LockKey(this, display) : this;
	}

	/**
	 * The order in which all callers everywhere take several locks: by name, then by id,
	 * the lock without an id first. Who waits has only locks that come before, so that
	 * nobody waits in a circle.
	 */
	@Override
	public int compareTo(LockKey other) {
		return ORDER.compare(this, other);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof LockKey key && this.role == key.role && this.name.equals(key.name)
				&& Objects.equals(this.id, key.id);
	}

	@Override
	public int hashCode() {
		return 31 * this.name.hashCode() + Objects.hashCode(this.id);
	}

	/**
	 * Name and id as they stand in messages and logs: without control characters, cut
	 * where they are long, and the id as {@code watchdog-lock.show-keys} has it. Not
	 * unique; compare keys with {@link #equals(Object)}.
	 */
	@Override
	public String toString() {
		String id = printableId();
		return (id != null) ? printableName() + ":" + id : printableName();
	}

	/**
	 * The name as it stands in logs: without control characters, and cut where it is
	 * long.
	 * @return the name, for people
	 */
	public String printableName() {
		return PrintableText.of(this.name);
	}

	/**
	 * The id as it stands in logs: without control characters, cut where it is long, and
	 * as {@code watchdog-lock.show-keys} has it where a lock service has seen the key.
	 * @return the id, for people; null where there is none
	 */
	public @Nullable String printableId() {
		return printableId(PrintableText.LIMIT);
	}

	/**
	 * The same, cut elsewhere.
	 * @param limit how many characters it has at most
	 * @return the id, for people; null where there is none
	 */
	public @Nullable String printableId(int limit) {
		if (this.id == null) {
			return null;
		}
		return PrintableText.of((this.display != null) ? this.display.apply(this.id) : this.id, limit);
	}

}
