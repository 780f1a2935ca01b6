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
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRelease;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.Renewal;

import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method under a distributed lock: one call at a time, across all instances of the
 * service, or several at a time if {@link #permits()} or {@link #mode()} allows it.
 * <p>
 * On a type, the annotation applies to the public methods that the type and its
 * subclasses declare; the annotation of a method takes precedence. Calls that do not go
 * through the Spring proxy (from within the same object) are not locked.
 * <p>
 * If the annotation is repeated, the method needs several locks, each with its own lease
 * and policies: all of them or none. They are acquired in one order in all instances (by
 * name, then by id), and their wait times begin together. The policy of the first lock
 * that cannot be acquired in time applies. If two annotations have the same key, and one
 * of them is for writing, the one for reading is ignored.
 * <p>
 * All durations are strings such as {@code 500ms}, {@code 10s} or {@code PT1M}, and may
 * contain <code>${placeholders}</code>; a number needs its unit, except {@code 0} and
 * {@code -1}. An invalid attribute fails at startup.
 * <p>
 * For example:
 * <pre>{@code @DistributedLock(name = "stock", key = "#sku", waitTime = "2s")
 * public void reserve(String sku) {
 *     this.jdbc.update("update stock set free = free - 1 where sku = ?", sku);
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Repeatable(DistributedLocks.class)
public @interface DistributedLock {

	/**
	 * Alias of {@link #name()}.
	 * @return the name
	 */
	@AliasFor("name")
	String value() default "";

	/**
	 * The fixed name of the lock, of at most 255 characters, <code>${placeholders}</code>
	 * allowed. It tags meters, so it is not evaluated: a name that contains {@code #} is
	 * rejected at startup. Empty: {@code SimpleClassName.methodName} of the declaring
	 * class. If this is the default of two methods, and neither overrides the other, the
	 * second one fails at startup. A name that is set may be any name, also the default
	 * of another method, with which it then shares the lock.
	 * @return the name
	 */
	@AliasFor("value")
	String name() default "";

	/**
	 * A SpEL expression for the part of the key that depends on arguments:
	 * {@code #orderId}, {@code #p0}, {@code #a0}, {@code #root.method},
	 * {@code #root.methodName}, {@code #root.target}, {@code #root.targetClass},
	 * {@code #root.args}, {@code @bean}. Empty: one lock for the name.
	 * {@code #lockKey(#tenant, #orderId)} makes a composite key of several parts, as
	 * {@link io.github.watchdoglock.LockKey#idOf(Object...)} does. A collection or an
	 * array of objects, of at most 64 elements, means a lock for each element: all of
	 * them or none. An array of primitives is rejected.
	 * <p>
	 * If the value is null or blank, or an object whose class does not override
	 * {@code toString}, the call fails with a
	 * {@link io.github.watchdoglock.LockKeyException}. A name that the method does not
	 * have fails at startup.
	 * @return the expression
	 */
	String key() default "";

	/**
	 * A SpEL expression that is true for the calls that need the lock, with everything
	 * that {@link #key()} may use. If it is false, the method runs without the lock, and
	 * the key is not computed. It is evaluated before a lock is acquired, for reactive
	 * methods at each subscription. A result other than true or false is a
	 * {@link io.github.watchdoglock.LockKeyException}. Empty: all calls need the lock.
	 * @return the expression
	 */
	String condition() default "";

	/**
	 * How many callers may hold the lock at once, across all instances, as with a
	 * semaphore: a call acquires it while fewer than this number hold it. 0: the property
	 * {@code watchdog-lock.locks.<name>.permits} applies, and if that is not set, the
	 * lock is exclusive. One permit is an exclusive lock. Several permits are of another
	 * kind: while they are in use, a request for the same key as an exclusive lock fails.
	 * @return from 1 to 64, or 0; not together with {@link LockMode#READ}
	 */
	int permits() default 0;

	/**
	 * Whether other readers may hold the lock at the same time. A call that holds the
	 * lock for writing may also read with the same key; a call that holds it for reading
	 * fails at once if it requests it for writing.
	 * @return the mode
	 */
	LockMode mode() default LockMode.WRITE;

	/**
	 * Whether transactions under the lock are fenced: when the method begins, every
	 * fenced transaction of an earlier holder has ended, and none will commit later,
	 * whatever happened to Redis, clocks, networks and JVMs. For data in the SQL database
	 * of the application. The transaction must begin under the lock, as that of a
	 * {@code @Transactional} method with this annotation does. False: the property
	 * {@code watchdog-lock.locks.<name>.fenced} applies, then
	 * {@code watchdog-lock.fenced}.
	 * @return whether to fence; not with {@link #permits()} or {@link LockMode#READ}, nor
	 * on methods whose result is completed later
	 */
	boolean fenced() default false;

	/**
	 * How long to wait for the lock: {@code 0s} tries once, {@code -1} waits
	 * indefinitely; other negative values are not valid. Empty: the property
	 * {@code watchdog-lock.wait-time}.
	 * @return the duration
	 */
	String waitTime() default "";

	/**
	 * How long the lock lasts. If this is set, the lock is <b>not</b> renewed, unless
	 * {@link #renewal()} is {@link Renewal#ON}. Empty or {@code -1}: the lock lasts as
	 * long as the property {@code watchdog-lock.lease-time} says, and is renewed while
	 * the method runs. If the caller holds the lock already, the stronger lease applies:
	 * it is as long as the longer of the two, and is renewed if one of them is.
	 * @return the duration
	 */
	String leaseTime() default "";

	/**
	 * Whether the lease is renewed. {@link Renewal#DEFAULT}: only if {@link #leaseTime()}
	 * is not set.
	 * @return the policy
	 */
	Renewal renewal() default Renewal.DEFAULT;

	/**
	 * How long the lock may be held: a holder that holds it for longer loses it. Empty:
	 * the property {@code watchdog-lock.max-hold-time}.
	 * @return the duration, positive
	 */
	String maxHoldTime() default "";

	/**
	 * How long the lock stays locked at least, even if the method returns earlier: no
	 * caller of any instance acquires it before, unless the instance dies. The caller is
	 * not delayed. Empty: no minimum.
	 * @return the duration, not negative; not longer than a lease that is not renewed
	 */
	String minHoldTime() default "";

	/**
	 * The effect on a call whose lock is not acquired in time.
	 * @return the policy
	 */
	OnContention onContention() default OnContention.DEFAULT;

	/**
	 * The method of the same class that is called instead when the lock is not acquired
	 * in time. It has the same parameters, optionally followed by a
	 * {@link io.github.watchdoglock.LockNotAcquiredException}, and its return type must
	 * fit that of the method. It may have any visibility. Empty: none.
	 * @return the name of the method
	 */
	String fallback() default "";

	/**
	 * The effect of a lost lock on the method that runs under it.
	 * @return the policy
	 */
	OnLoss onLoss() default OnLoss.DEFAULT;

	/**
	 * When the lock is released if the method is called inside a transaction: by default
	 * after that transaction has ended.
	 * @return the policy
	 */
	LockRelease release() default LockRelease.DEFAULT;

}
