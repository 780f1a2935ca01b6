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
 * A hold belongs to the thread that acquired it: the same thread may acquire the same key
 * again and gets another handle on the same hold, without asking the store. The hold ends
 * with the last close of any of its handles.
 * <p>
 * Of the leases that a hold's callers ask for, the strongest counts: it is as long as the
 * longest, and renewed if one of them is. A re-entry that asks for more than the hold has
 * asks the store, once, and the hold has it from then on until it ends; one that asks for
 * no more changes nothing. Where the store does not confirm it, there is no re-entry, and
 * the hold goes on as it was. Of their minimum holds the longer applies, and of their
 * maximum holds the earlier, each from its own acquisition; that of a re-entry until its
 * handle is closed.
 * <p>
 * A thread that writes may read as well, and writes until its hold has ended; one that
 * reads can't write. One that has a permit has the same permit again.
 * <p>
 * A lock is a lease. It can be lost while the work runs: when the process or its machine
 * stands still for longer than the lease, when the store forgets it (a failover, an
 * eviction), when an operator forces it. {@link LockHandle#isHeld()} and
 * {@link LockHandle#whenLost()} tell; {@link LockHandle#fencingToken()} protects what
 * must not be written by a holder that has lost its lock unawares.
 */
public interface LockService {

	/**
	 * Acquire a lock, waiting for it as long as the request says.
	 * @param request what is asked for
	 * @return a handle, to be closed by the caller
	 * @throws InterruptedException if the thread is interrupted before asking or while
	 * waiting; the lock is not held then
	 * @throws LockNotAcquiredException if somebody else held it until the wait was over
	 * @throws LockLostException if this thread has lost the lock and not closed its
	 * handle
	 * @throws LockUpgradeException if this thread has the lock to read and asks to write
	 * @throws LockStoreException if the store failed before it gave a first answer, or
	 * when a re-entry asked it for a stronger lease; or if the key is in use as permits
	 * and is asked for as a lock, or the other way round
	 * @throws LockServiceClosedException if the service is shutting down
	 * @throws LockKeyException if the id is longer than
	 * {@code watchdog-lock.max-id-length}
	 * @throws IllegalArgumentException if the lease is shorter than the service allows
	 */
	LockHandle acquire(LockRequest request) throws InterruptedException;

	/**
	 * Acquire a lock unless somebody else holds it until the wait is over. Fails as
	 * {@link #acquire(LockRequest)} does otherwise.
	 * @param request what is asked for
	 * @return a handle, to be closed by the caller, or empty when the wait was over
	 * @throws InterruptedException if the thread is interrupted before asking or while
	 * waiting; the lock is not held then
	 */
	Optional<LockHandle> tryAcquire(LockRequest request) throws InterruptedException;

	/**
	 * Acquire a lock without a thread that waits. The handle comes detached: it belongs
	 * to no thread. Cancelling the future, or its timing out, ends the attempt; a lock
	 * that is granted at the same moment is released. Dependent stages run on one of a
	 * few threads of the library and must not block; those that do belong on an executor
	 * ({@code thenAcceptAsync}).
	 * @param request what is asked for
	 * @return a future of the handle, to be closed by the caller; fails with the
	 * exceptions of {@link #acquire(LockRequest)}, such as {@link LockLostException}
	 * where the calling thread has the lock and has lost it; with
	 * {@link IllegalArgumentException} also for a request
	 * {@link LockRequest#withReleaseAfterTransaction()}
	 */
	CompletableFuture<LockHandle> acquireAsync(LockRequest request);

	/**
	 * Acquire several locks, all or none. They are taken one after the other in the order
	 * of their keys, which is that of annotated methods too, so that callers whose sets
	 * overlap do not wait in a circle; who has locks already when it asks for more is
	 * outside of that order. The wait begins with the first lock and is the longest of
	 * the requests, for all of them together. Where one can't be had, those that were
	 * taken are given back. A key that is asked for twice is one lock, re-entered; who
	 * asks for it to read and to write has it to write.
	 * <p>
	 * Each request has a lease of its own, which counts from when its lock was taken, and
	 * rules of its own for its loss.
	 * @param requests what is asked for, at least one and at most 64, in any order
	 * @return the handles of all, to be closed by the caller
	 * @throws InterruptedException if the thread is interrupted before asking or while
	 * waiting; none of the locks is held then
	 * @throws LockNotAcquiredException if somebody else held one of them until the wait
	 * was over, with its key
	 * @throws LockLostException if this thread holds one of them and has lost it
	 * @throws LockUpgradeException if this thread has one of them to read and asks to
	 * write it
	 * @throws LockStoreException if the store failed before it gave a first answer, or if
	 * one of the keys is in use as permits and is asked for as a lock, or the other way
	 * round
	 * @throws LockServiceClosedException if the service is shutting down
	 * @throws LockKeyException if an id is longer than
	 * {@code watchdog-lock.max-id-length}
	 * @throws IllegalArgumentException if there is no request or more than 64, or if a
	 * lease is shorter than the service allows
	 */
	LockHandles acquireAll(Collection<LockRequest> requests) throws InterruptedException;

	/**
	 * Acquire a lock, run the callback, and release the lock whatever happened.
	 * @param request what is asked for
	 * @param callback the work
	 * @param <T> the type of its result
	 * @param <E> the type of exception that it may throw
	 * @return the callback's result
	 * @throws E if the callback throws it
	 * @throws LockInterruptedException if the thread was interrupted while waiting; its
	 * interrupt flag is set again
	 * @throws LockNotAcquiredException if somebody else held it until the wait was over
	 */
	<T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> callback)
			throws E;

	/**
	 * Acquire a lock, run the action, and release the lock whatever happened. Fails as
	 * {@link #execute(LockRequest, LockCallback)} does.
	 * @param request what is asked for
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
	 * What the store says of a lock, whichever instance holds it. A snapshot: it may be
	 * out of date when it arrives.
	 * @param key the lock
	 * @return its state, empty where it is free
	 * @throws LockStoreException if the store failed
	 * @throws LockKeyException if the id is longer than
	 * {@code watchdog-lock.max-id-length}
	 */
	Optional<LockState> find(LockKey key);

	/**
	 * Take a lock from whoever holds it. For operators: its holder learns of it as a loss
	 * and may be in the middle of its work. A holder of this instance has lost it when
	 * this returns; one of another instance hears of it by a message, or at its next
	 * renewal.
	 * @param key the lock
	 * @return whether somebody held it
	 * @throws LockStoreException if the store failed
	 * @throws LockKeyException if the id is longer than
	 * {@code watchdog-lock.max-id-length}
	 */
	boolean forceRelease(LockKey key);

	/**
	 * Take a lock from one of those who hold it, and let the others have it. Fails as
	 * {@link #forceRelease(LockKey)} does.
	 * @param key the lock
	 * @param token the first fencing token of its lease, as {@link LockState#token()} has
	 * it; not 0
	 * @return whether somebody held it with that token
	 * @throws IllegalArgumentException if the token is not positive
	 */
	boolean forceRelease(LockKey key, long token);

	/**
	 * A view for code that takes a {@link Lock}. It has no state: views of one key are
	 * the same lock, also for a thread that has it by an annotation or by a handle.
	 * <ul>
	 * <li>{@code lock} waits without end and is not interruptible: the flag is set again
	 * when it returns. An interrupt costs it its place among those who wait.</li>
	 * <li>{@code lockInterruptibly} waits without end. Interrupted, before or while it
	 * waits, it throws {@link InterruptedException} and holds nothing.</li>
	 * <li>{@code tryLock} tries once and is not interruptible; with a time it waits for
	 * as long and is interruptible, and tries once where the time is not positive.</li>
	 * <li>A thread that has it gets it once more, and has to {@code unlock} as often.
	 * Where it is lost and was not unlocked, and the thread has it by views alone, each
	 * of these methods drops all that they opened, with one warning, and takes it anew;
	 * an {@code unlock} for what was dropped finds it not locked. An interrupt by
	 * {@link OnLoss#INTERRUPT} comes before that: from {@code lockInterruptibly} and from
	 * {@code tryLock} with a time, the thread hears of the loss by the
	 * {@link InterruptedException}. Where an annotated method, a handle or a transaction
	 * of the thread has lost it too, nothing is dropped, and they throw
	 * {@link LockLostException} until that is closed.</li>
	 * <li>{@code unlock} closes the handle that the thread acquired last on the key in
	 * the mode of the view, to read or not, also a handle of {@code acquire} or
	 * {@code execute}. It waits for the store as {@link LockHandle#close()} does. After a
	 * loss it returns as ever, whatever the request says of losses, since it stands in
	 * {@code finally} blocks: {@link LocalLocks#ensureHeld()} before it tells. By a
	 * thread that has not locked it, or not in this mode, it is an
	 * {@link IllegalMonitorStateException}.</li>
	 * <li>{@code newCondition} is an {@link UnsupportedOperationException}.</li>
	 * </ul>
	 * They fail as {@link #acquire(LockRequest)} does when the store fails or the service
	 * is shutting down. The lease, its limits and what a loss means to the thread are
	 * those of the request; a lock can be lost while it is locked.
	 * @param request the key and the lease; its wait is not used
	 * @return the view
	 */
	Lock asLock(LockRequest request);

	/**
	 * Views for code that takes a {@link ReadWriteLock}: any number of threads read, over
	 * all instances, or one writes. In order of arrival: who asks to read waits behind
	 * who asked to write before.
	 * <p>
	 * A thread that writes may read as well, and is a writer until it has unlocked all of
	 * it: there is no downgrade. One that reads can't write: asked to, {@code writeLock}
	 * throws {@link LockUpgradeException}, {@code tryLock} too. All else is as
	 * {@link #asLock(LockRequest)} says.
	 * @param request the key and the lease, of both; its wait is not used
	 * @return the views
	 * @throws IllegalArgumentException if the request is for permits
	 */
	default ReadWriteLock asReadWriteLock(LockRequest request) {
		// A number of permits in the properties is for who asks for neither.
		LockRequest both = (request.permits() == null) ? request.withPermits(0) : request;
		return new ReadWriteLockView(asLock(both.withMode(LockMode.READ)), asLock(both.withMode(LockMode.WRITE)));
	}

}
