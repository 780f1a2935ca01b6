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

package io.github.watchdoglock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;

import org.springframework.core.annotation.AliasFor;

/**
 * A job that one instance runs while the others skip it: the lock is tried once, and a
 * run that does not acquire it is skipped. If the method also has {@code @Scheduled} and
 * returns void, its calls are also skipped, and logged, while Redis fails; other methods
 * throw a {@link io.github.watchdoglock.LockStoreException} then. All methods throw it if
 * Redis rejects the command, for example because of missing permissions.
 * <p>
 * Not promised: that a job runs once per trigger. An instance whose clock is behind runs
 * it again as soon as the first run has ended, unless {@link #minHoldTime()} keeps the
 * lock for longer than the clocks differ.
 * <p>
 * For example:
 * <pre>{@code @Scheduled(cron = "0 0 3 * * *") @LockedJob(name = "nightly-report", minHoldTime = "30s")
 * public void nightly() {
 *     report();
 * }
 * }</pre>
 *
 * @see DistributedLock
 * @since 0.1.0
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@DistributedLock(waitTime = "0s", onContention = OnContention.SKIP)
public @interface LockedJob {

	/**
	 * Alias of {@link #name()}.
	 * @return the name
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "name")
	String value() default "";

	/**
	 * The fixed name of the job, of at most 255 characters, without {@code #},
	 * <code>${placeholders}</code> allowed. Empty: {@code SimpleClassName.methodName} of
	 * the declaring class, which fails at startup if another method has it too.
	 * @return the name
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "name")
	String name() default "";

	/**
	 * A SpEL expression for jobs of several tenants or regions, each with a lock of its
	 * own: see {@link DistributedLock#key()}. Empty: one lock for the job.
	 * @return the expression
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "key")
	String key() default "";

	/**
	 * A SpEL expression that is true for the runs that need the lock: see
	 * {@link DistributedLock#condition()}. Empty: all runs need it.
	 * @return the expression
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "condition")
	String condition() default "";

	/**
	 * How long the lock stays locked at least, so that an instance whose clock is behind
	 * does not run the job again. Empty: no minimum.
	 * @return the duration, not negative; not longer than a lease that is not renewed
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "minHoldTime")
	String minHoldTime() default "";

	/**
	 * How long a run may hold the lock: a run that hangs loses it then. Empty: the
	 * property {@code watchdog-lock.max-hold-time}.
	 * @return the duration, positive
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "maxHoldTime")
	String maxHoldTime() default "";

	/**
	 * How long the lock lasts, <b>not</b> renewed, unless the property
	 * {@code watchdog-lock.locks.<name>.renewal} is {@code on}. Empty: the property
	 * {@code watchdog-lock.lease-time}, renewed while the job runs.
	 * @return the duration
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "leaseTime")
	String leaseTime() default "";

	/**
	 * The effect of a lost lock on the job that runs under it.
	 * @return the policy
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "onLoss")
	OnLoss onLoss() default OnLoss.DEFAULT;

}
