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

package io.github.watchdoglock.test;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.listener.AcquisitionGuard;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.KeyRules;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The controls of what else happens to the locks of a tested application: another
 * instance that holds them, and their loss. They also report which locks the application
 * has acquired. Thread-safe.
 * <p>
 * After each test method, the locks that the other instance holds are released, a lock
 * that is only kept for its minimum hold time is free, and the list of acquired locks is
 * empty. Not promised: order among tests that run at the same time in one application
 * context.
 * <p>
 * For example:
 * <pre>{@code @Test void purchaseFailsWhileOtherInstanceHoldsLock(@Autowired TestLocks locks) {
 *     locks.holdElsewhere(LockKey.of("stock", "phone"));
 *     assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> shop.buy("phone"));
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public final class TestLocks implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(TestLocks.class);

	private static final String OTHER = "another instance";

	/*
	 * How long to wait: an application that is not a candidate any more does not lead
	 * again.
	 */
	private static final long PATIENCE = TimeUnit.SECONDS.toNanos(2);

	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

	/* The rules of the application limit the length of ids. */
	private static final KeyRules ANY = new KeyRules(Integer.MAX_VALUE, null);

	/*
	 * Handles that were returned to a test, which may drop them: a dropped handle would
	 * be treated as abandoned.
	 */
	private final ConcurrentLinkedQueue<LockHandle> elsewhere = new ConcurrentLinkedQueue<>();

	/* Roles that another instance led before. */
	private final ConcurrentLinkedQueue<LockKey> taken = new ConcurrentLinkedQueue<>();

	private final LockEngine other;

	private final AcquiredLocks acquired;

	private final Supplier<Set<String>> declared;

	private final Supplier<AcquisitionGuard> guard;

	/*
	 * Does not need the lock service of the application, which may be a mock. The
	 * declared names are the lock names of annotations and properties.
	 */
	TestLocks(InMemoryLeaseStore store, AcquiredLocks acquired, Supplier<Set<String>> declared,
			Supplier<AcquisitionGuard> guard) {
		this.other = new LockEngine(EngineSettings.of(OTHER).withKeys(ANY), store, store, store);
		this.acquired = acquired;
		this.declared = declared;
		this.guard = guard;
	}

	/**
	 * Let another instance acquire a lock and keep it, renewed, until the handle is
	 * closed (by any thread) or the test method has ended. The key of a role
	 * ({@link LockKey#ofRole}) is taken from the current leader, whose term is lost;
	 * after the test method, the application leads again. If neither an annotation nor a
	 * property has the name of the lock, and the application has not requested it so far,
	 * a warning after the test method lists the names that are known.
	 * @param key the lock
	 * @return the handle of the other instance
	 * @throws IllegalStateException if the lock is held already
	 */
	public LockHandle holdElsewhere(LockKey key) {
		return holdElsewhere(LockRequest.of(key));
	}

	/**
	 * Let another instance acquire a lock in the way that a request specifies, such as to
	 * read ({@link LockRequest#withMode}) or with a permit
	 * ({@link LockRequest#withPermits}), and keep it as {@link #holdElsewhere(LockKey)}
	 * does. Each call for a permit acquires one more. The other instance does not know
	 * the application's properties: it uses the number of permits in the request.
	 * @param request the request; its wait time is ignored
	 * @return the handle of the other instance
	 * @throws IllegalStateException if the lock is held already
	 * @throws LockStoreException if the key is held with permits and is requested as an
	 * exclusive lock, or the other way round
	 */
	public LockHandle holdElsewhere(LockRequest request) {
		LockKey key = request.key();
		try {
			LockHandle handle = key.isRole() ? lead(key)
					: this.other.acquireAsync(request.withWaitTime(Duration.ZERO)).join();
			this.elsewhere.add(handle);
			return handle;
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof LockNotAcquiredException) {
				throw taken(key, ex);
			}
			if (ex.getCause() instanceof LockStoreException another) {
				throw another;
			}
			throw ex;
		}
	}

	/* It waits first, so that it becomes the next leader. */
	private LockHandle lead(LockKey role) {
		if (holder(role).startsWith(OTHER)) {
			throw taken(role, null);
		}
		CompletableFuture<LockHandle> asked = this.other
			.acquireAsync(LockRequest.of(role).withWaitTime(Duration.ofMillis(-1)));
		long end = System.nanoTime() + PATIENCE;
		while (!asked.isDone() && System.nanoTime() - end < 0) {
			String holder = holder(role);
			if (!asked.isDone() && !holder.isEmpty() && !holder.startsWith(OTHER) && this.other.forceRelease(role)) {
				this.taken.add(role);
			}
			LockSupport.parkNanos(PAUSE);
		}
		if (!asked.isDone() && asked.cancel(true)) {
			throw taken(role, null);
		}
		return asked.join();
	}

	/* Empty if there is none. */
	private String holder(LockKey key) {
		return this.other.find(key).map(LockState::holder).orElse("");
	}

	private IllegalStateException taken(LockKey key, @Nullable Throwable cause) {
		String holder = holder(key);
		return new IllegalStateException("Lock '" + key + "' is held" + (holder.isEmpty() ? "" : " by " + holder)
				+ ". Let another instance acquire it before", cause);
	}

	/**
	 * Let the holder of a lock lose it, as if an operator released it by force: the
	 * reason of the loss is {@link io.github.watchdoglock.LockLoss.Reason#FORCED}. When
	 * this method returns, the handle is no longer held, and its thread is interrupted if
	 * its {@code onLoss} says so; listeners and {@code whenLost} are notified soon.
	 * @param key the lock
	 * @throws IllegalStateException if the lock is not held
	 */
	public void lose(LockKey key) {
		if (!this.other.forceRelease(key)) {
			throw new IllegalStateException("Lock '" + key
					+ "' is not held, so it cannot be lost. Call this while the method runs, for example in a mock"
					+ " that it calls");
		}
	}

	/**
	 * Let another instance overtake the holder of a fenced lock: the holder's next
	 * transaction is rolled back with a {@link io.github.watchdoglock.LockLostException}.
	 * Waits for the end of its open transaction. Methods that are called later acquire
	 * the lock again.
	 * @param key the lock
	 * @throws IllegalStateException if no fenced method has begun under the lock
	 */
	public void overtake(LockKey key) {
		this.guard.get().overtake(key);
	}

	/**
	 * Return whether a lock is held, by the application or by the other instance.
	 * @param key the lock
	 * @return whether the lock is held
	 */
	public boolean isTaken(LockKey key) {
		return this.other.find(key).isPresent();
	}

	/**
	 * Return the locks that the application has acquired since the test method began, by
	 * annotation or in code. Re-entries are not included, nor are locks that could not be
	 * acquired.
	 * @return a new list, in the order in which they were acquired
	 */
	public List<LockKey> acquired() {
		return this.acquired.list();
	}

	/*
	 * Begin a new test: releases the locks of the other instance, and those that are only
	 * kept for their minimum hold time.
	 */
	void reset() {
		giveBack();
		awaitLeaders();
		this.acquired.list()
			.stream()
			.distinct()
			.filter((key) -> !this.acquired.isHeld(key))
			.forEach(this.other::forceRelease);
		this.acquired.clear();
	}

	/* The application must lead again before the next test begins. */
	private void awaitLeaders() {
		long end = System.nanoTime() + PATIENCE;
		while (!this.taken.stream().allMatch(this::isTaken) && System.nanoTime() - end < 0) {
			LockSupport.parkNanos(PAUSE);
		}
		this.taken.clear();
	}

	private void giveBack() {
		Set<String> unknown = new TreeSet<>();
		for (LockHandle handle = this.elsewhere.poll(); handle != null; handle = this.elsewhere.poll()) {
			handle.close();
			if (!handle.key().isRole()) {
				unknown.add(handle.key().name());
			}
		}
		if (!unknown.isEmpty()) {
			warnOfUnknown(unknown);
		}
	}

	/*
	 * Called after the test, when the names of locks in code are known, too. If the lock
	 * service of the application is a mock, no name may be known.
	 */
	private void warnOfUnknown(Set<String> held) {
		Set<String> known = new TreeSet<>(this.declared.get());
		known.addAll(this.acquired.names());
		held.removeAll(known);
		if (!held.isEmpty() && !known.isEmpty()) {
			logger.warn("TestLocks.holdElsewhere had no effect, because the application has not asked for a lock with"
					+ " the name " + held + " so far. If the name is wrong, correct it in the test. The lock names"
					+ " that are known so far are " + known + ", and names are case-sensitive.");
		}
	}

	/**
	 * Stop the other instance. Called when the application context is closed.
	 */
	@Override
	public void close() {
		giveBack();
		this.other.close();
	}

}
