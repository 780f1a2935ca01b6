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

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.engine.IdleLock;
import io.github.watchdoglock.store.LeaseSurvey;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.lang.Nullable;
import org.springframework.util.StringUtils;

/**
 * The {@link Endpoint} of locks: the locks that this instance holds or waits for, and the
 * state of a key in the store. If the endpoint's access is unrestricted, a lock can be
 * taken from its holder by force.
 */
@SuppressWarnings("deprecation") // Spring Boot 3.5 accepts only this Nullable for
									// optional parameters; metadata use the other
@Endpoint(id = "locks", defaultAccess = Access.READ_ONLY)
public class LocksEndpoint {

	private final Function<LockKey, List<LockState>> holders;

	private final LocalDescriptions descriptions;

	private final AllDescriptions all;

	private final ForcedReleases releases;

	private final Show showValues;

	private final UnaryOperator<LockKey> keys;

	private final Access access;

	/**
	 * Create an endpoint.
	 * @param instance the label of this instance
	 * @param locks forces releases
	 * @param local the locks that this instance holds or waits for
	 * @param idle its idle locks
	 * @param stacks returns the present stack of a holder's thread
	 * @param holders returns all holders of a lock, in all instances
	 * @param survey searches the locks of all instances
	 * @param sanitizer sanitizes keys
	 * @param showValues when keys are shown
	 * @param events publishes audit events
	 * @param keys checks keys, and prepares them for display in audit events
	 * @param access the permitted access: stacks are shown only if it is unrestricted
	 */
	public LocksEndpoint(Supplier<String> instance, LockService locks, LocalLocks local, Supplier<List<IdleLock>> idle,
			Function<LockSnapshot, List<StackTraceElement>> stacks, Function<LockKey, List<LockState>> holders,
			Supplier<LeaseSurvey> survey, Sanitizer sanitizer, Show showValues, ApplicationEventPublisher events,
			UnaryOperator<LockKey> keys, Access access) {
		this.holders = holders;
		this.descriptions = new LocalDescriptions(instance, local, idle, stacks, new ShownKeys(sanitizer));
		this.all = new AllDescriptions(instance, survey, new ShownKeys(sanitizer));
		this.releases = new ForcedReleases(locks, instance, events, new ShownKeys(sanitizer));
		this.showValues = showValues;
		this.keys = keys;
		this.access = access;
	}

	/**
	 * Return the locks that this instance holds or waits for.
	 * @param limit the maximum number of entries, up to 1,000; null for 100
	 * @param stack whether to include the stacks of the threads that hold them, which
	 * needs unrestricted access
	 * @return the locks
	 */
	@ReadOperation
	public LocksDescriptor locks(@Nullable @org.jspecify.annotations.Nullable Integer limit,
			@Nullable @org.jspecify.annotations.Nullable Boolean stack) {
		return list(listing(limit, stack, this.showValues.isShown(true)));
	}

	/**
	 * Return the locks of one name that this instance holds or waits for, and the state
	 * of one of its keys in the store.
	 * @param name name of the locks
	 * @param key id of the lock to be looked up in the store; empty for the lock without
	 * an id, null for none
	 * @param limit the maximum number of entries, up to 1,000; null for 100
	 * @param stack whether to include the stacks of the threads that hold them, which
	 * needs unrestricted access
	 * @return the locks; null if a key was requested that is not held, waited for or idle
	 */
	@ReadOperation
	public @Nullable LocksDescriptor lock(@Selector String name, @Nullable String key, @Nullable Integer limit,
			@Nullable Boolean stack) {
		return find(name, key, listing(limit, stack, this.showValues.isShown(true)));
	}

	/**
	 * Take a lock from its holders by force.
	 * @param name its name
	 * @param key its id; null or empty for the lock without an id
	 * @return the outcome
	 */
	@DeleteOperation
	public ReleaseDescriptor forceRelease(@Selector String name, @Nullable String key) {
		return new ReleaseDescriptor(force(name, key, null, this.showValues.isShown(true)));
	}

	Listing listing(@Nullable Integer limit, @Nullable Boolean stack, boolean keysShown) {
		Listing listing = Listing.of(limit, stack, keysShown);
		if (listing.stacks() && this.access != Access.UNRESTRICTED) {
			String reason = "'stack' needs management.endpoint.locks.access=unrestricted";
			throw new InvalidEndpointRequestException(reason + ", and access is " + this.access, reason);
		}
		return listing;
	}

	/* Rejects parameters that are not valid for this scope. */
	boolean isAll(@Nullable String scope, @Nullable String cursor, Listing listing) {
		boolean all = SurveyPage.isWanted(scope, cursor);
		if (all && listing.stacks()) {
			throw SurveyPage
				.wrong("'stack' cannot be combined with 'scope=all': stacks are known only for this instance");
		}
		return all;
	}

	AllLocksDescriptor listAll(@Nullable String cursor, @Nullable Integer limit) {
		return listAll(cursor, listing(limit, null, this.showValues.isShown(true)));
	}

	AllLocksDescriptor listAll(@Nullable String cursor, Listing listing) {
		return this.all.describe(cursor, listing);
	}

	LocksDescriptor list(Listing listing) {
		return this.descriptions.describe((key) -> true, listing, List.of());
	}

	@Nullable
	LocksDescriptor find(String name, @Nullable String id, Listing listing) {
		if (id == null) {
			return this.descriptions.describe((key) -> key.name().equals(name), listing, List.of());
		}
		LockKey key = key(name, id);
		List<LockState> states = this.holders.apply(key);
		LocksDescriptor descriptor = this.descriptions.describe(Predicate.isEqual(key), listing, states);
		boolean known = !states.isEmpty()
				|| descriptor.heldCount() + descriptor.waitingCount() + descriptor.idleCount() > 0;
		return known ? descriptor : null;
	}

	boolean force(String name, @Nullable String id, @Nullable String principal, boolean shown) {
		return this.releases.force(key(name, id), principal, shown);
	}

	private LockKey key(String name, @Nullable String id) {
		try {
			return this.keys.apply(LockKey.of(name, StringUtils.hasLength(id) ? id : null));
		}
		catch (LockKeyException ex) {
			throw new InvalidEndpointRequestException("" + ex.getMessage(), "The name or the key is blank or too long",
					ex);
		}
	}

	/**
	 * The result of a forced release. Not a plain boolean, which JMX does not support.
	 *
	 * @param released whether the lock was held
	 */
	public record ReleaseDescriptor(boolean released) implements OperationResponseBody {

	}

}
