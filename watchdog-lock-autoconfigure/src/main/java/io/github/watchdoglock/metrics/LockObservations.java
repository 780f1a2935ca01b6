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

package io.github.watchdoglock.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.listener.EngineObserver.Held;
import io.github.watchdoglock.listener.Instrumentation;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * The observations of waiting for locks and of holding them. They are children of the
 * caller's current observation at the request. Work that is done under a lock is observed
 * as a child of its hold. Renewals are not observed. Thread-safe.
 * <p>
 * Observations of a thread's locks are started and ended on this thread, so handlers that
 * block delay only the caller whose lock they observe. Those of losses, and of locks that
 * are acquired or released asynchronously, are ended on a thread of a pool.
 */
public final class LockObservations implements Instrumentation {

	private static final LockAcquireObservationConvention ACQUIRE = new LockAcquireObservationConvention() {
	};

	private static final LockHoldObservationConvention HOLD = new LockHoldObservationConvention() {
	};

	private final ObservationRegistry registry;

	private final @Nullable LockAcquireObservationConvention acquireConvention;

	private final @Nullable LockHoldObservationConvention holdConvention;

	private final TagNames names;

	private volatile boolean enabled = true;

	/* By hold and not by token, because readers may share a token. */
	private final Map<Held, Observation> holds = new ConcurrentHashMap<>();

	/**
	 * Create observations.
	 * @param registry the registry for the observations
	 * @param acquireConvention the convention for waits; null for that of the registry,
	 * or the default
	 * @param holdConvention the convention for holds; null for that of the registry, or
	 * the default
	 * @param maxNames how many names are distinguished; further names are {@code other}
	 */
	public LockObservations(ObservationRegistry registry, @Nullable LockAcquireObservationConvention acquireConvention,
			@Nullable LockHoldObservationConvention holdConvention, int maxNames) {
		this.registry = registry;
		this.acquireConvention = acquireConvention;
		this.holdConvention = holdConvention;
		this.names = new TagNames(maxNames);
	}

	/**
	 * Set whether locks are observed, from the next request on.
	 * @param enabled whether they are; initially true
	 */
	public void enable(boolean enabled) {
		this.enabled = enabled;
	}

	@Override
	public Call calling(LockKey key) {
		if (!this.enabled || this.registry.isNoop()) {
			return Call.UNOBSERVED;
		}
		LockObservationContext context = context(key, LockObservationContext.Stage.ACQUIRE, 0);
		Observation parent = this.registry.getCurrentObservation();
		Observation wait = Observation.start(this.acquireConvention, ACQUIRE, () -> context, this.registry);
		return new Call() {

			@Override
			public void acquired(LockHandle handle) {
				context.setToken(handle.fencingToken());
				context.setOutcome("acquired");
				end(wait, null);
				begin(handle, parent);
			}

			@Override
			public void notAcquired(LockListener.Outcome outcome, @Nullable Throwable cause) {
				context.setOutcome(EnumMeters.tag(outcome));
				end(wait, (outcome == LockListener.Outcome.ERROR) ? cause : null);
			}

		};
	}

	private LockObservationContext context(LockKey key, LockObservationContext.Stage stage, long token) {
		return new LockObservationContext(key, this.names.of(key.name()), stage, token);
	}

	@Override
	public Runnable working(LockHandle handle) {
		Observation hold = observed(handle);
		return (hold != null) ? new HoldScope(this.registry).open(hold) : Instrumentation.super.working(handle);
	}

	/* If the thread has no observation of the request, Reactor's context has it. */
	@Override
	public Runnable within(Function<Object, @Nullable Object> context) {
		return (this.enabled && context.apply(ObservationThreadLocalAccessor.KEY) instanceof Observation parent)
				? new HoldScope(this.registry).open(parent) : Instrumentation.super.within(context);
	}

	@Override
	public Map<Object, Object> context(LockHandle handle) {
		Observation hold = observed(handle);
		return (hold != null) ? Map.of(ObservationThreadLocalAccessor.KEY, hold) : Map.of();
	}

	@Override
	public @Nullable Runnable ending(Held hold, @Nullable LockLoss loss) {
		Observation observed = this.holds.remove(hold);
		if (observed == null) {
			return null;
		}
		if (observed.getContext() instanceof LockObservationContext context) {
			context.setOutcome((loss != null) ? "lost" : "released");
		}
		return () -> end(observed, (loss != null) ? new LockLostException(loss) : null);
	}

	/* A hold may have ended before its observation begins. */
	private void begin(LockHandle handle, @Nullable Observation parent) {
		Held hold = Held.of(handle);
		if (hold == null) {
			return;
		}
		LockObservationContext context = context(handle.key(), LockObservationContext.Stage.HOLD,
				handle.fencingToken());
		Observation observation = Observation.createNotStarted(this.holdConvention, HOLD, () -> context, this.registry)
			.parentObservation(parent)
			.start();
		if (observation.isNoop()) {
			return;
		}
		this.holds.put(hold, observation);
		Runnable ending = handle.isHeld() ? null : ending(hold, handle.loss().orElse(null));
		if (ending != null) {
			ending.run();
		}
	}

	private @Nullable Observation observed(LockHandle handle) {
		Held hold = Held.of(handle);
		return (hold != null) ? this.holds.get(hold) : null;
	}

	private static void end(Observation observation, @Nullable Throwable failure) {
		Guard.run(() -> {
			if (failure != null) {
				observation.error(failure);
			}
			observation.stop();
		});
	}

}
