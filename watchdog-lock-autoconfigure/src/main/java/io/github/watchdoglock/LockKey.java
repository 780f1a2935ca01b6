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

import java.io.Serializable;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.github.watchdoglock.text.KeyParts;
import io.github.watchdoglock.text.PrintableText;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a lock: two requests with equal keys exclude each other, regardless of
 * the instances that make them. Immutable.
 */
public final class LockKey implements Comparable<LockKey>, Serializable {

	private static final long serialVersionUID = 1;

	private static final Comparator<LockKey> ORDER = Comparator.comparing(LockKey::name)
		.thenComparing(LockKey::id, Comparator.nullsFirst(Comparator.naturalOrder()))
		.thenComparing(LockKey::isRole);

	private static final String ROLE = "%role";

	private static final int MAX_NAME = 255;

	private static final int MAX_ROLE = 80;

	private final String name;

	private final @Nullable String id;

	private final boolean role;

	/* Null displays the id unchanged. Not part of the identity. */
	private final transient @Nullable UnaryOperator<String> display;

	private LockKey(String name, @Nullable String id, boolean role, @Nullable UnaryOperator<String> display) {
		this.name = name;
		this.id = id;
		this.role = role;
		this.display = display;
	}

	/**
	 * Return the key of the lock that has a name and no id.
	 * @param name the name, not blank, of at most 255 characters
	 * @return the key
	 * @throws LockKeyException if the name is null, blank or longer, or has a lone
	 * surrogate
	 */
	public static LockKey of(String name) {
		return of(name, null);
	}

	/**
	 * Return the key of a lock that has a name and an id.
	 * @param name the name, not blank, of at most 255 characters
	 * @param id the id, not blank; null for the lock without an id
	 * @return the key
	 * @throws LockKeyException if the name is null, blank or longer, the id is blank, or
	 * one of them has a lone surrogate
	 */
	public static LockKey of(String name, @Nullable String id) {
		if (name == null || name.isBlank()) {
			throw new LockKeyException("'name' of a lock must not be blank: give it a fixed name, such as \"orders\"");
		}
		if (name.length() > MAX_NAME) {
			throw new LockKeyException("'name' of a lock may have at most " + MAX_NAME + " characters, and has "
					+ name.length() + ". Use a shorter name, and an 'id' for the part that differs between calls");
		}
		if (id != null && id.isBlank()) {
			throw new LockKeyException("'id' of lock '" + PrintableText.of(name)
					+ "' must not be blank: all such callers would share one lock. Use LockKey.of(name) if that"
					+ " is intended");
		}
		ensureWellFormed(name);
		if (id != null) {
			ensureWellFormed(id);
		}
		return new LockKey(name, id, false, null);
	}

	/**
	 * Return a key with a composite id, such as a tenant and a number. Keys with
	 * different parts differ: {@code of("orders", "a:b", "c")} is not
	 * {@code of("orders", "a", "b:c")}.
	 * @param name the name, not blank, of at most 255 characters
	 * @param first the first part: an object whose {@code toString} identifies it
	 * @param second the second part
	 * @param more further parts
	 * @return the key, whose id is that of {@link #idOf(Object...)}
	 * @throws LockKeyException if the name is null, blank or longer, or a part is not
	 * valid for {@link #idOf(Object...)}
	 */
	public static LockKey of(String name, Object first, Object second, Object... more) {
		return of(name, idOf(Stream.concat(Stream.of(first, second), Stream.of(more)).toArray()));
	}

	/**
	 * Return the key of the lock with which instances elect the leader of a role. No
	 * other lock has this key, whatever its name is, and only a {@link LeaderElection}
	 * can acquire it. Its name is {@code %role}, and its id is the role.
	 * @param role the role, not blank, of at most 80 characters
	 * @return the key
	 * @throws LockKeyException if the role is null, blank or longer, or has a lone
	 * surrogate
	 */
	public static LockKey ofRole(String role) {
		if (role == null || role.isBlank() || role.length() > MAX_ROLE) {
			throw new LockKeyException("The name of a role must not be blank or longer than " + MAX_ROLE
					+ " characters, and was '" + PrintableText.of(String.valueOf(role)) + "'");
		}
		ensureWellFormed(role);
		return new LockKey(ROLE, role, true, null);
	}

	/**
	 * Return a composite id: the string of each part, with {@code %} and {@code :}
	 * percent-encoded, joined by {@code :}. Different strings result in different ids.
	 * Strings are compared as they are, so {@code 1.0} and {@code 1.00} differ.
	 * @param parts at least one object whose {@code toString} identifies it; an
	 * {@code Optional} is replaced by its value; neither collections nor arrays
	 * @return the id
	 * @throws LockKeyException if there is no part, or if one is null, empty or blank, a
	 * collection or an array, or an object whose class does not override {@code toString}
	 */
	public static String idOf(Object... parts) {
		try {
			return KeyParts.join(parts);
		}
		catch (IllegalArgumentException ex) {
			throw new LockKeyException("" + ex.getMessage(), ex);
		}
	}

	/* Half of a surrogate pair cannot be stored: different keys would become equal. */
	private static void ensureWellFormed(String text) {
		int point;
		for (int i = 0; i < text.length(); i += Character.charCount(point)) {
			point = text.codePointAt(i);
			if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
				throw new LockKeyException("'" + PrintableText.of(text)
						+ "' has an unpaired surrogate (half of a character), and cannot be part of a key");
			}
		}
	}

	/**
	 * Return the name. Names are defined in the code, so their number is limited.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Return the id. Ids are usually computed from arguments, so their number is
	 * unlimited.
	 * @return the id; null for the lock that has only a name
	 */
	public @Nullable String id() {
		return this.id;
	}

	/**
	 * Return whether this is the key of a role, and not of a lock.
	 * @return whether {@link #ofRole(String)} has created it
	 */
	public boolean isRole() {
		return this.role;
	}

	/**
	 * Return an equal key whose id is displayed in another way in messages and logs.
	 * @param display returns the displayed form of an id; null for the id itself
	 * @return the key
	 */
	public LockKey shownBy(@Nullable UnaryOperator<String> display) {
		return (this.display != display && !this.role) ? new LockKey(this.name, this.id, this.role, display) : this;
	}

	/**
	 * Compare keys in the order in which all callers of all instances acquire several
	 * locks: by name, then by id, the lock without an id first. A waiting caller holds
	 * only locks that come before the one that it waits for, so callers cannot wait for
	 * each other in a circle.
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
	 * Return name and id as messages and logs display them: without control characters,
	 * shortened if they are long, and with the id according to
	 * {@code watchdog-lock.show-keys}. Not unique; compare keys with
	 * {@link #equals(Object)}.
	 */
	@Override
	public String toString() {
		String id = printableId();
		return (id != null) ? printableName() + ":" + id : printableName();
	}

	/**
	 * Return the name as logs display it: without control characters, and shortened if it
	 * is long.
	 * @return the name, for people
	 */
	public String printableName() {
		return PrintableText.of(this.name);
	}

	/**
	 * Return the id as logs display it: without control characters, shortened if it is
	 * long, and according to {@code watchdog-lock.show-keys} if a lock service has
	 * processed the key.
	 * @return the id, for people; null if there is none
	 */
	public @Nullable String printableId() {
		return printableId(PrintableText.LIMIT);
	}

	/**
	 * Return the id like {@link #printableId()}, with another maximum length.
	 * @param limit the maximum number of characters
	 * @return the id, for people; null if there is none
	 */
	public @Nullable String printableId(int limit) {
		if (this.id == null) {
			return null;
		}
		return PrintableText.of((this.display != null) ? this.display.apply(this.id) : this.id, limit);
	}

	/* Whether messages show the id as it is. */
	boolean isShown() {
		return this.display == null;
	}

	/* The display is a function, so its result is written. */
	private Object writeReplace() {
		String shown = (this.display != null && this.id != null) ? this.display.apply(this.id) : null;
		return new Serialized(this.name, this.id, this.role, shown);
	}

	private record Serialized(String name, @Nullable String id, boolean role,
			@Nullable String shown) implements Serializable {

		private Object readResolve() {
			String shown = this.shown;
			LockKey key = this.role ? ofRole(Objects.requireNonNull(this.id)) : of(this.name, this.id);
			return (shown != null) ? key.shownBy((id) -> shown) : key;
		}

	}

}
