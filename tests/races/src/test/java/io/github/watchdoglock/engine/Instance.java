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

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.TokenBlock;
import org.jspecify.annotations.Nullable;

/**
 * An instance with one key, whose store grants every lease at once. Its clock is paused,
 * and it has no threads.
 */
final class Instance implements LeaseStore {

	private static final LockKey KEY = LockKey.of("orders");

	private static final EngineSettings SETTINGS = EngineSettings.of("races");

	/** Leases that were granted and not released. */
	final AtomicInteger leases = new AtomicInteger();

	final AtomicInteger releases = new AtomicInteger();

	final EngineContext context = new EngineContext(SETTINGS, "one", new UnevenThreads(), () -> 0, () -> Instant.EPOCH,
			this, new Events(), Runnable::run);

	final LocalKeys keys = new LocalKeys(this.context);

	/*
	 * The keys in the map. Its size may include a key that another thread has just
	 * removed, because the map changes its count after the entry.
	 */
	int keysInUse() {
		int found = 0;
		for (LocalLock unused : this.keys.all()) {
			found++;
		}
		return found;
	}

	/* A caller that waits indefinitely. */
	Waiter caller(ThreadHandles.@Nullable HoldingThread owner, @Nullable Consumer<Waiter.Outcome> whenDone) {
		return new Waiter(KEY, AttemptId.Kind.EXCLUSIVE, this.context.defaults, this.context.rules, -1, 0, owner,
				whenDone);
	}

	/* A handle that belongs to the calling thread. */
	Handle acquire() {
		Waiter caller = caller(this.context.handles.owner(), null);
		this.keys.join(caller);
		return Objects.requireNonNull(caller.granted());
	}

	/* Begin to declare a hold lost. */
	void lose(Hold hold, LockLoss.Reason reason) {
		hold.lease.lock.tasks().run(() -> {
			if (hold.isOpen()) {
				hold.lease.lose(hold, reason, null);
			}
		});
	}

	static void close(@Nullable Handle handle) {
		if (handle != null) {
			var unused = handle.closeAsync();
		}
	}

	@Override
	public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
		this.leases.incrementAndGet();
		return CompletableFuture.completedStage(new AcquireAnswer.Granted(new TokenBlock(1, 64), false));
	}

	@Override
	public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
		return commands.stream().map((command) -> answer()).toList();
	}

	private static CompletionStage<RenewAnswer> answer() {
		return CompletableFuture.completedStage(new RenewAnswer.Renewed(false, null));
	}

	@Override
	public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
		this.leases.decrementAndGet();
		this.releases.incrementAndGet();
		return CompletableFuture
			.completedStage(new ReleaseAnswer(ReleaseAnswer.Ended.LEASE, ReleaseAnswer.Next.NOBODY));
	}

}
