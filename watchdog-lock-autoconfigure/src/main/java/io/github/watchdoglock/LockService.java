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

import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import org.jspecify.annotations.Nullable;

/**
 * Locks that exclude each other across all instances of a service. Thread-safe.
 * <p>
 * A hold belongs to the thread that acquired it: if the same thread acquires the same key
 * again, it gets another handle to the same hold, without a command to Redis. The hold
 * ends when its last handle is closed.
 * <p>
 * If the callers of a hold request different leases, the strongest one applies: it is as
 * long as the longest, and renewed if one of them is. A re-entry that requests a stronger
 * lease sends one command to Redis, and the hold has that lease until the hold ends. If
 * Redis does not confirm the lease, the re-entry fails, and the hold continues unchanged.
 * A re-entry that requests no stronger lease changes nothing. Of the minimum hold times,
 * the longest applies, and of the maximum hold times, the earliest; each begins with its
 * own acquisition. The maximum of a re-entry applies until the handle of the re-entry is
 * closed.
 * <p>
 * A thread that holds a lock for writing may also acquire it for reading, and remains a
 * writer until its hold has ended. A thread that holds it for reading cannot acquire it
 * for writing. A thread that has a permit and requests the lock again gets the same
 * permit.
 * <p>
 * A lock is a lease. It can be lost while the work runs: if the process or its machine is
 * paused for longer than the lease, if Redis forgets the lease (a failover, an eviction),
 * or if an operator forces the lock. {@link LockHandle#isHeld()} and
 * {@link LockHandle#whenLost()} report this. {@link LockHandle#fencingToken()} protects
 * data from writes by a holder that has lost its lock without noticing.
 * <p>
 * For example: <pre>{@code
 * Receipt receipt = lockService.execute(LockRequest.of("stock", sku), (handle) -> sell(sku));
 *
 * try (LockHandle handle = lockService.acquire(LockRequest.of("stock", sku))) {
 *     sell(sku, handle.fencingToken());
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface LockService {

	/**
	 * Acquire a lock, and wait for it as long as the request allows.
	 * @param request the request
	 * @return a handle, to be closed by the caller
	 * @throws InterruptedException if the thread is interrupted before the request is
	 * sent, or while it waits; then the lock is not held
	 * @throws LockNotAcquiredException if another caller held it until the wait time had
	 * ended
	 * @throws LockLostException if this thread has lost the lock and has not closed its
	 * handle
	 * @throws LockUpgradeException if this thread holds the lock for reading and requests
	 * it for writing
	 * @throws LockStoreException if Redis failed before its first answer, or when a
	 * re-entry requested a stronger lease; or if the key is in use with permits and is
	 * requested as an exclusive lock, or the reverse
	 * @throws LockServiceClosedException if the service is shutting down
	 * @throws LockKeyException if the id is longer than
	 * {@code watchdog-lock.max-id-length}
	 * @throws IllegalArgumentException if the lease is shorter than the service allows
	 */
	LockHandle acquire(LockRequest request) throws InterruptedException;

	/**
	 * Acquire a lock if it is free, or return empty. Waits for other holders only if the
	 * request has a wait time; the properties for wait times do not apply. Otherwise
	 * fails like {@link #acquire(LockRequest)}.
	 * <p>
	 * Even without a wait time, this takes as long as Redis takes to answer, at most the
	 * command timeout, and may also wait for the first connection to Redis, for an
	 * instance that keeps the lock idle ({@code watchdog-lock.linger}) to release it, and
	 * for the database if the lock is fenced.
	 * @param request the request
	 * @return a handle, to be closed by the caller; empty if another caller holds the
	 * lock
	 * @throws InterruptedException if the thread is interrupted before the request is
	 * sent, or while it waits; then the lock is not held
	 */
	Optional<LockHandle> tryAcquire(LockRequest request) throws InterruptedException;

	/**
	 * Acquire a lock without a waiting thread. The handle is detached: it belongs to no
	 * thread. Cancelling the future, or its timeout, ends the attempt; a lock that is
	 * granted at the same moment is released. Dependent stages run on one of a few
	 * threads of the library and must not block; run those that block on an executor
	 * ({@code thenAcceptAsync}).
	 * @param request the request
	 * @return a future of the handle, to be closed by the caller. Fails with the
	 * exceptions of {@link #acquire(LockRequest)}, for example with
	 * {@link LockLostException} if the calling thread holds the lock and has lost it, and
	 * also with {@link IllegalArgumentException} for a request
	 * {@link LockRequest#withReleaseAfterTransaction()}
	 */
	CompletableFuture<LockHandle> acquireAsync(LockRequest request);

	/**
	 * Acquire several locks, all or none. They are acquired one after the other in the
	 * order of their keys, as the locks of annotated methods are, so that callers with
	 * overlapping sets do not wait for each other in a circle. A caller that already
	 * holds locks when it requests more of them is outside of this order. The wait time
	 * begins with the first lock, and is the longest of the requests, for all of them
	 * together. If one lock cannot be acquired, the locks that were acquired before are
	 * released. A key that is requested twice is one lock, which is re-entered; if it is
	 * requested for reading and for writing, it is acquired for writing.
	 * <p>
	 * Each request has its own lease, which begins when its lock is acquired, and its own
	 * policy for the loss of its lock.
	 * @param requests the requests, at least one and at most 64, in any order
	 * @return the handles of all, to be closed by the caller
	 * @throws InterruptedException if the thread is interrupted before the first request
	 * is sent, or while it waits; then none of the locks is held
	 * @throws LockNotAcquiredException if another caller held one of them until the wait
	 * time had ended, with its key
	 * @throws LockLostException if this thread holds one of them and has lost it
	 * @throws LockUpgradeException if this thread holds one of them for reading and
	 * requests it for writing
	 * @throws LockStoreException if Redis failed before its first answer, or if one of
	 * the keys is in use with permits and is requested as an exclusive lock, or the
	 * reverse
	 * @throws LockServiceClosedException if the service is shutting down
	 * @throws LockKeyException if an id is longer than
	 * {@code watchdog-lock.max-id-length}
	 * @throws IllegalArgumentException if there is no request or more than 64, or if a
	 * lease is shorter than the service allows
	 */
	LockHandles acquireAll(Collection<LockRequest> requests) throws InterruptedException;

	/**
	 * Acquire a lock, run the callback, and release the lock in any case.
	 * @param request the request
	 * @param callback the work
	 * @param <T> the type of its result
	 * @param <E> the type of exception that it may throw
	 * @return the callback's result
	 * @throws E if the callback throws it
	 * @throws LockInterruptedException if the thread was interrupted while waiting; its
	 * interrupt flag is set again
	 * @throws LockNotAcquiredException if another caller held the lock until the wait
	 * time had ended
	 */
	<T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> callback)
			throws E;

	/**
	 * Acquire a lock, run the action, and release the lock in any case. Fails like
	 * {@link #execute(LockRequest, LockCallback)}.
	 * @param request the request
	 * @param action the work
	 * @param <E> the type of exception that it may throw
	 * @throws E if the action throws it
	 */
	default <E extends Exception> void executeWithoutResult(LockRequest request, LockAction<E> action) throws E {
		execute(request, (handle) -> {
			action.run(handle);
			return handle;
		});
	}

	/**
	 * Acquire a lock as {@link #tryAcquire(LockRequest)} does, run the callback, and
	 * release the lock in any case.
	 * @param request the request
	 * @param callback the work, whose result is not null
	 * @param <T> the type of its result
	 * @param <E> the type of exception that it may throw
	 * @return the callback's result; empty if another caller holds the lock, and the
	 * callback was not called
	 * @throws E if the callback throws it
	 * @throws NullPointerException if the callback has returned null: use
	 * {@link #tryExecuteWithoutResult(LockRequest, LockAction)}
	 * @throws LockInterruptedException if the thread was interrupted while waiting; its
	 * interrupt flag is set again
	 */
	<T, E extends Exception> Optional<T> tryExecute(LockRequest request, LockCallback<T, E> callback) throws E;

	/**
	 * Acquire a lock as {@link #tryAcquire(LockRequest)} does, run the action, and
	 * release the lock in any case. Fails like
	 * {@link #tryExecute(LockRequest, LockCallback)}.
	 * @param request the request
	 * @param action the work
	 * @param <E> the type of exception that it may throw
	 * @return whether the action has run; false if another caller holds the lock
	 * @throws E if the action throws it
	 */
	default <E extends Exception> boolean tryExecuteWithoutResult(LockRequest request, LockAction<E> action) throws E {
		return tryExecute(request, (handle) -> {
			action.run(handle);
			return handle;
		}).isPresent();
	}

	/**
	 * Return the state of a lock in Redis, regardless of the instance that holds it. This
	 * is a snapshot, which may be out of date when it arrives.
	 * @param key the lock
	 * @return its state, empty if it is free
	 * @throws LockStoreException if Redis failed
	 * @throws LockKeyException if the id is longer than
	 * {@code watchdog-lock.max-id-length}
	 */
	Optional<LockState> find(LockKey key);

	/**
	 * Take a lock by force from all its holders. For operators: a holder is notified of a
	 * loss, possibly in the middle of its work. A holder of this instance has lost the
	 * lock when this method returns. A holder of another instance is notified by a
	 * message, or at its next renewal.
	 * @param key the lock
	 * @return whether the lock was held
	 * @throws LockStoreException if Redis failed
	 * @throws LockKeyException if the id is longer than
	 * {@code watchdog-lock.max-id-length}
	 */
	boolean forceRelease(LockKey key);

	/**
	 * Take a lock by force from one of its holders; the other holders keep it. Fails like
	 * {@link #forceRelease(LockKey)}.
	 * <p>
	 * If another instance holds the lock, that instance is asked by a message, and this
	 * method waits until the lock has changed hands or is free, at most for the command
	 * timeout. It returns false if the message does not arrive: if that instance is dead,
	 * or with {@code watchdog-lock.wake-ups=false}. Not promised: that the force was the
	 * cause, because the holder may release the lock in the same moment.
	 * @param key the lock
	 * @param token the fencing token of the present hold, as in
	 * {@link LockHandle#fencingToken()}, in log messages and at the endpoint; an earlier
	 * token of the same lease is not held any more
	 * @return whether the lock was held with that token and is not any more
	 * @throws IllegalArgumentException if the token is not positive
	 */
	boolean forceRelease(LockKey key, long token);

	/**
	 * Return a view of a lock for code that needs a {@link Lock}. The view has no state:
	 * views of one key are the same lock, also for a thread that holds the lock through
	 * an annotation or a handle.
	 * <ul>
	 * <li>{@code lock} waits indefinitely and is not interruptible: the interrupt flag is
	 * set again when it returns. After an interrupt, the caller loses its place in the
	 * queue.</li>
	 * <li>{@code lockInterruptibly} waits indefinitely. If the thread is interrupted,
	 * before or while it waits, the method throws {@link InterruptedException}, and the
	 * thread holds nothing.</li>
	 * <li>{@code tryLock} tries once and is not interruptible. With a time, it waits for
	 * that time and is interruptible; if the time is not positive, it tries once.</li>
	 * <li>A thread that holds the lock can lock it again, and has to call {@code unlock}
	 * as often. If the lock is lost and was not unlocked, and the thread has locked it
	 * only through views, each of these methods drops all handles that the views have
	 * opened, with one warning, and acquires the lock again. A later {@code unlock} for a
	 * dropped handle fails, because the lock is not locked. If the loss has interrupted
	 * the thread ({@link OnLoss#INTERRUPT}), {@code lockInterruptibly} and
	 * {@code tryLock} with a time throw the {@link InterruptedException} before anything
	 * is dropped, so the thread notices the loss. If an annotated method, a handle or a
	 * transaction of the thread has lost the lock too, nothing is dropped, and the
	 * methods throw {@link LockLostException} until that handle is closed.</li>
	 * <li>{@code unlock} closes the handle that the thread acquired last on the key, in
	 * the mode of the view (for reading or not), also a handle of {@code acquire} or
	 * {@code execute}. It waits for Redis like {@link LockHandle#close()}. After a loss
	 * it returns normally, whatever {@code onLoss} of the request is, because it is
	 * called in {@code finally} blocks; call {@link LocalLocks#ensureHeld()} before it to
	 * detect the loss. If the thread has not locked the lock, or not in this mode, it
	 * throws an {@link IllegalMonitorStateException}.</li>
	 * <li>{@code newCondition} throws an {@link UnsupportedOperationException}.</li>
	 * </ul>
	 * The methods fail like {@link #acquire(LockRequest)} if Redis fails or the service
	 * is shutting down. The lease, its limits, and the consequences of a loss for the
	 * thread are those of the request; a lock can be lost while it is locked.
	 * @param request the key and the lease; its wait time is not used
	 * @return the view
	 */
	Lock asLock(LockRequest request);

	/**
	 * Return views of a lock for code that needs a {@link ReadWriteLock}: any number of
	 * threads read, across all instances, or one writes. They are served in the order of
	 * arrival: a caller that requests the lock for reading waits behind earlier requests
	 * for writing.
	 * <p>
	 * A thread that writes may read as well, and is a writer until it has unlocked
	 * everything: there is no downgrade. A thread that reads cannot write: {@code lock}
	 * and {@code tryLock} of the {@code writeLock} then throw
	 * {@link LockUpgradeException}. Everything else is as in
	 * {@link #asLock(LockRequest)}.
	 * @param request the key and the lease, for both views; its wait time is not used
	 * @return the views
	 * @throws IllegalArgumentException if the request is for permits
	 */
	default ReadWriteLock asReadWriteLock(LockRequest request) {
		// Permits in the properties apply only to requests without permits and mode.
		LockRequest both = (request.permits() == null) ? request.withPermits(0) : request;
		return new ReadWriteLockView(asLock(both.withMode(LockMode.READ)), asLock(both.withMode(LockMode.WRITE)));
	}

}
