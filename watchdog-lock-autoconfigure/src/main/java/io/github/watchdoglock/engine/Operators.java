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

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.listener.EngineObserver.Command;
import io.github.watchdoglock.settings.KeyRules;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.HolderState;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseInspector.ForceAnswer;
import io.github.watchdoglock.store.StoreCalls;
import io.github.watchdoglock.text.PrintableText;
import org.jspecify.annotations.Nullable;

/**
 * The operations of operators on the locks of any instance. They wait for the store's
 * answer; tasks of a key do not.
 * <p>
 * A force ends the lease in the store, which sends a message to its instance. There, the
 * lease may be forced from then on: it is not handed on, and a renewal asks the store.
 * The answer that the store does not know it is the loss.
 */
final class Operators {

	private static final int MAX_LABEL = 512;

	/* How long to wait before looking whether another instance has taken a key. */
	private static final long FORCE_POLL = TimeUnit.MILLISECONDS.toNanos(20);

	private final EngineContext context;

	private final LeaseInspector inspector;

	private final Duration timeout;

	private final KeyRules keyRules;

	private final LocalKeys keys;

	Operators(EngineContext context, LeaseInspector inspector, LocalKeys keys) {
		this.context = context;
		this.inspector = inspector;
		this.timeout = context.defaults.timeout();
		this.keyRules = context.keyRules();
		this.keys = keys;
	}

	Optional<LockState> find(LockKey wanted) {
		return HolderState.first(holders(wanted));
	}

	/* Return all holders, beginning with the one whose lease ends first. */
	List<LockState> holders(LockKey wanted) {
		LockKey key = this.keyRules.admit(wanted);
		return answer(Command.FIND, "find", key, this.inspector.find(KeyRules.bounded(key), this.timeout)).stream()
			.<LockState>map((state) -> shown(state, key))
			.toList();
	}

	private static HolderState shown(LockState state, LockKey key) {
		return new HolderState(key, PrintableText.of(state.holder(), MAX_LABEL), state.token(), state.remaining(),
				state.waiting(), state.holders(), state.mode(), state.permits());
	}

	boolean forceOne(LockKey wanted, long token) {
		if (token <= 0) {
			throw new IllegalArgumentException("'token' must be positive: " + token);
		}
		LockKey key = KeyRules.bounded(this.keyRules.admit(wanted));
		CompletionStage<ForceAnswer> own = this.keys.look(key, (lock) -> force(lock, token));
		return (own != null) ? force(wanted, own) : requestForce(wanted, key, token);
	}

	/*
	 * A task of the key: take it from a hold; return null if it has no such hold. The
	 * store knows a lease by its first token, so from now on this lease is not handed on
	 * to another hold.
	 */
	@Nullable CompletionStage<ForceAnswer> force(LocalLock lock, long token) {
		for (GrantedLease lease : lock.leases()) {
			if (lease.isHeldWith(token)) {
				lease.budgetForChange().forced(this.context.now());
				return this.inspector.force(lock.key, lease.firstToken, this.timeout);
			}
		}
		return null;
	}

	/*
	 * The store knows the first token of each lease, and only the instance that has the
	 * lease knows whether its present hold has this token. So that instance takes the
	 * key, or does nothing.
	 */
	private boolean requestForce(LockKey wanted, LockKey key, long token) {
		long sent = this.context.now();
		long first = answer(Command.FIND, "find", wanted, this.inspector.request(key, token, this.timeout)).stream()
			.mapToLong(LockState::token)
			.filter((candidate) -> candidate <= token)
			.max()
			.orElse(0);
		if (first == 0 || hasLease(key, first)) {
			return false;
		}
		while (holders(wanted).stream().anyMatch((state) -> state.token() == first)) {
			if (this.context.now() - sent >= this.timeout.toNanos()) {
				return false;
			}
			this.context.awaitUninterruptibly(new CompletableFuture<>(), FORCE_POLL);
		}
		return true;
	}

	/* Whether this instance has a lease that begins with a token. */
	private boolean hasLease(LockKey key, long first) {
		return Boolean.TRUE.equals(
				this.keys.look(key, (lock) -> lock.leases().stream().anyMatch((lease) -> lease.firstToken == first)));
	}

	boolean forceAll(LockKey wanted) {
		LockKey key = KeyRules.bounded(this.keyRules.admit(wanted));
		return force(wanted, this.inspector.force(key, LeaseInspector.ALL, this.timeout));
	}

	private boolean force(LockKey key, CompletionStage<ForceAnswer> sent) {
		LockKey bounded = KeyRules.bounded(key);
		ForceAnswer answer = answer(Command.FORCE, "force", key, sent);
		// The store's message to a holder in this instance may arrive later, or never.
		answer.owners().forEach((owner) -> forceReleased(bounded, owner));
		return answer.held();
	}

	/*
	 * A task of the key: it may have been taken from an attempt by force. Return its
	 * lease; null if it has none, because then the attempt asks the store in any case.
	 */
	static @Nullable GrantedLease noteForced(LocalLock lock, AttemptId id) {
		Attempt attempt = lock.attempt(id);
		if (attempt != null) {
			attempt.forced = true;
			return null;
		}
		GrantedLease lease = lock.leaseOf(id);
		if (lease != null) {
			lease.budgetForChange().forced(lock.context().now());
		}
		return lease;
	}

	private void forceReleased(LockKey key, AttemptId attempt) {
		this.keys.look(key, (lock) -> {
			GrantedLease lease = noteForced(lock, attempt);
			if (lease != null) {
				IdleLease.drop(lease);
				lease.loseAll(LockLoss.Reason.FORCED);
			}
			return null;
		});
	}

	boolean requestResignation(LockKey role) {
		return !answer(Command.FIND, "ask the leader of", role,
				this.inspector.request(role, LeaseInspector.ALL, this.timeout))
			.isEmpty();
	}

	/*
	 * Wait as long as the store may take, and the same time again for a store that breaks
	 * its promise.
	 */
	private <T> T answer(Command command, String verb, LockKey key, CompletionStage<T> stage) {
		long sent = this.context.now();
		CompletableFuture<T> answer = stage.whenComplete((value, ex) -> this.context.commandEnded(command, sent, ex))
			.toCompletableFuture();
		this.context.awaitUninterruptibly(answer, 2 * this.timeout.toNanos() + this.context.connecting());
		if (!answer.isDone()) {
			throw new LockStoreException(
					"Could not " + verb + " lock '" + key + "': the store did not answer within its timeout", null);
		}
		try {
			return answer.join();
		}
		catch (CompletionException ex) {
			Throwable cause = StoreCalls.cause(ex);
			throw new LockStoreException("Could not " + verb + " lock '" + key + "': " + cause.getMessage(), cause);
		}
	}

}
