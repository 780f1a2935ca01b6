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

package io.github.watchdoglock.fence;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.listener.AcquisitionGuard;
import io.github.watchdoglock.listener.FenceObserver;
import io.github.watchdoglock.listener.FenceObserver.Outcome;
import io.github.watchdoglock.listener.TransactionScope;
import io.github.watchdoglock.text.PrintableText;
import io.github.watchdoglock.time.Threads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.support.SQLStateSQLExceptionTranslator;
import org.springframework.util.function.ThrowingSupplier;

/**
 * The fence of an application's locks. It is raised once for each hold, and each
 * transaction of the hold looks at it. A look locks the row of the lock until its
 * transaction ends, and a raise waits for that. So when a raise returns, all fenced
 * transactions with smaller tokens have ended, and later ones find a greater token.
 * Thread-safe.
 */
public final class Fence implements AcquisitionGuard {

	private static final Log logger = LogFactory.getLog(Fence.class);

	private static final String POOL = ". A fence needs a connection in addition to that of open-in-view or an outer"
			+ " transaction: use a larger pool, or set spring.jpa.open-in-view=false";

	private static final Duration MAX_WAIT = Duration.ofSeconds(30);

	private static final Duration MIN_WAIT = Duration.ofSeconds(1);

	private static final long BETWEEN_CLEANUPS = TimeUnit.HOURS.toNanos(1);

	/* The length of the column. */
	private static final int MAX_NAME = 255;

	private final Supplier<FenceTable> table;

	private final Function<LockKey, String> names;

	private final Supplier<Instant> oldest;

	private final OpenTransactions open;

	private final FenceObserver observer;

	private final ObjLongConsumer<LockKey> overtaken;

	/** The names of locks that were released unchecked. */
	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	/** The failure of the last raise. */
	private volatile @Nullable String problem;

	private final AtomicLong cleanUpAt = new AtomicLong(System.nanoTime());

	/**
	 * Create a fence. Its table is not used before the first fenced lock.
	 * @param table the table
	 * @param names returns the whole name of a lock, which is unique in the database
	 * @param oldest returns a moment; rows that were last raised before it are deleted
	 * @param transactions the transactions of threads
	 * @param observer observes the fence
	 * @param overtaken ends the hold with a key and a token after a later holder has
	 * overtaken it
	 */
	public Fence(Supplier<FenceTable> table, Function<LockKey, String> names, Supplier<Instant> oldest,
			FencedTransactions transactions, FenceObserver observer, ObjLongConsumer<LockKey> overtaken) {
		this.table = table;
		this.names = names;
		this.oldest = oldest;
		this.open = transactions.open();
		this.observer = observer;
		this.overtaken = overtaken;
		transactions.setFence(this);
	}

	/**
	 * Check that the table can be used.
	 * @throws RuntimeException if the application has no usable {@code DataSource}
	 * @throws SQLException if the table is missing, or the database fails
	 */
	public void check() throws SQLException {
		this.table.get().check();
	}

	@Override
	public @Nullable String problem() {
		return this.problem;
	}

	@Override
	public void overtake(LockKey key) {
		try {
			this.table.get().overtake(hash(key), UUID.randomUUID().toString());
		}
		catch (SQLException ex) {
			throw failure("The fence of lock '" + key + "' could not be raised", ex);
		}
	}

	@Override
	public void beforeAcquire(LockRequest request) {
		if (!TransactionScope.isLeft() && this.open.isInTransactionOf(dataSource(), TransactionScope.isJoined())) {
			throw new IllegalStateException("Lock '" + request.key() + "' is fenced, and must be acquired before the"
					+ " transaction begins, but this thread is in a transaction already. Acquire it in the outermost"
					+ " transactional method, together with all other fenced locks, or let the locked method begin its"
					+ " own transaction (Propagation.REQUIRES_NEW). Annotate a @Transactional test with"
					+ " @Transactional(propagation = Propagation.NOT_SUPPORTED)");
		}
	}

	@Override
	public Admission admit(LockRequest request, LockHandle handle, Duration left) {
		LockKey key = handle.key();
		long start = System.nanoTime();
		long longest = Math.min(left.toNanos(), MAX_WAIT.toNanos());
		FencedHold hold = new FencedHold(key, hash(key), handle.fencingToken(), UUID.randomUUID().toString(),
				start + longest, new AtomicReference<>(() -> warnUnchecked(key.name())));
		raise(hold, start);
		handle.loss().ifPresent((loss) -> {
			throw new LockLostException(loss);
		});
		cleanUp(start);
		return hold;
	}

	private void warnUnchecked(String name) {
		if (this.warned.add(name)) {
			logger.warn("Lock '" + name + "' is fenced, and was released without a transaction that had checked its"
					+ " fence. If data were written under it, the writes were not fenced. Annotate the method with"
					+ " @Transactional, or write in a TransactionTemplate: in the thread that holds the lock, with a"
					+ " transaction manager for the DataSource of the fence. If nothing was written, ignore this"
					+ " message. It is logged once for each name");
		}
	}

	private void raise(FencedHold hold, long start) {
		Outcome outcome = Outcome.FAILED;
		try {
			boolean raised = this.table.get()
				.raise(hold, PrintableText.of(hold.key().toString(), MAX_NAME), limit(hold));
			outcome = raised ? Outcome.RAISED : Outcome.OVERTAKEN;
			this.problem = null;
		}
		catch (SQLException ex) {
			if (!FenceDatabase.isConflict(ex)) {
				this.problem = ex.getMessage();
				throw new LockStoreException(
						"Lock '" + hold.key() + "' was not acquired: its fence could not be raised: " + ex.getMessage()
								+ ((ex instanceof SQLTransientConnectionException) ? POOL : ""),
						ex);
			}
			outcome = Outcome.BUSY;
			throw new LockNotAcquiredException(hold.key(), Duration.ofNanos(System.nanoTime() - start),
					"a transaction of an earlier holder is still open");
		}
		finally {
			this.observer.observed(hold.key(), outcome, Duration.ofNanos(System.nanoTime() - start));
		}
		if (outcome == Outcome.OVERTAKEN) {
			throw overtaken(hold);
		}
	}

	/* Runs in a transaction of its thread, which is rolled back if this throws. */
	void verify(Connection connection, FencedHold hold) {
		long start = System.nanoTime();
		boolean valid;
		try {
			valid = this.table.get().verify(connection, hold, limit(hold));
		}
		catch (SQLException ex) {
			if (!FenceDatabase.isConflict(ex)) {
				throw failure("The fence of lock '" + hold.key() + "' could not be read", ex);
			}
			// A later holder is raising it.
			valid = false;
		}
		if (!valid) {
			this.observer.observed(hold.key(), Outcome.OVERTAKEN, Duration.ofNanos(System.nanoTime() - start));
			throw overtaken(hold);
		}
	}

	private LockLostException overtaken(FencedHold hold) {
		this.overtaken.accept(hold.key(), hold.token());
		return new LockLostException(new LockLoss(hold.key(), hold.token(), LockLoss.Reason.OVERTAKEN),
				"a later holder has raised the fence in the database, so nothing more is committed under it");
	}

	DataSource dataSource() {
		return this.table.get().dataSource();
	}

	boolean verifiesAtCommit() {
		return this.table.get().verifiesAtCommit();
	}

	private static Duration limit(FencedHold hold) {
		long left = hold.deadline() - System.nanoTime();
		return (left > MIN_WAIT.toNanos()) ? Duration.ofNanos(left) : MIN_WAIT;
	}

	private static RuntimeException failure(String task, SQLException ex) {
		RuntimeException translated = new SQLStateSQLExceptionTranslator().translate(task, null, ex);
		return (translated != null) ? translated : new IllegalStateException(task, ex);
	}

	/* Case-insensitive and space-padding collations would make names of locks equal. */
	private String hash(LockKey key) {
		byte[] name = this.names.apply(key).getBytes(StandardCharsets.UTF_8);
		MessageDigest digest = ThrowingSupplier.of(() -> MessageDigest.getInstance("SHA-256")).get();
		return HexFormat.of().formatHex(digest.digest(name));
	}

	/* Tokens begin with the time in microseconds, so smaller ones are older. */
	private void cleanUp(long now) {
		long due = this.cleanUpAt.get();
		if (now - due < 0 || !this.cleanUpAt.compareAndSet(due, now + BETWEEN_CLEANUPS)) {
			return;
		}
		Threads.system().start("watchdog-lock-fence", () -> {
			try {
				this.table.get().deleteBelow(ChronoUnit.MICROS.between(Instant.EPOCH, this.oldest.get()));
			}
			catch (SQLException | RuntimeException ex) {
				logger.info("Old rows of the fence's table were not deleted; this is tried again in an hour: " + ex);
			}
		});
	}

}
