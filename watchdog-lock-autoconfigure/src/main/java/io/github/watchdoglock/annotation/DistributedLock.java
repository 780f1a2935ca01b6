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
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.Renewal;

import org.springframework.core.annotation.AliasFor;

/**
 * The method runs in one place at a time, across all instances of the service; in several
 * where {@link #permits()} or {@link #mode()} say so.
 * <p>
 * On a type it counts for the public methods that the type and its subclasses declare; a
 * method's own annotation wins. Calls that do not go through the Spring proxy (from
 * within the same object) are not locked.
 * <p>
 * Repeated, the method needs several locks, each with its own lease and policies: all of
 * them or none, taken in one order everywhere (by name, then by id), within waits that
 * begin together. The first that is not to be had in time decides what happens. One that
 * is for reading counts for nothing where another one writes the same key.
 * <p>
 * All durations are texts such as {@code 500ms}, {@code 10s} or {@code PT1M}, and may be
 * <code>${placeholders}</code>; a number needs its unit, but for {@code 0} and
 * {@code -1}. What is wrong here fails at start-up.
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
	 * class.
	 * @return the name
	 */
	@AliasFor("value")
	String name() default "";

	/**
	 * SpEL expression for the part of the key that comes from arguments:
	 * {@code #orderId}, {@code #p0}, {@code #a0}, {@code #root.method},
	 * {@code #root.methodName}, {@code #root.target}, {@code #root.targetClass},
	 * {@code #root.args}, {@code @bean}. Empty: one lock for the name.
	 * {@code #lockKey(#tenant, #orderId)} makes one key of several parts, as
	 * {@link io.github.watchdoglock.LockKey#idOf(Object...)} does. A collection or an
	 * array of objects, of at most 64 elements, means a lock for each element, and all of
	 * them or none; an array of primitives is refused.
	 * <p>
	 * Null, blank, or an object without a {@code toString} of its own:
	 * {@link io.github.watchdoglock.LockKeyException}. A name that the method does not
	 * have fails at start-up.
	 * @return the expression
	 */
	String key() default "";

	/**
	 * SpEL expression that is true for the calls that need the lock, with all that
	 * {@link #key()} may use: where it is false the method runs without the lock, and the
	 * key is not computed. Computed before any lock is taken, of reactive methods on each
	 * subscription. Anything but true and false is a
	 * {@link io.github.watchdoglock.LockKeyException}. Empty: all calls need it.
	 * @return the expression
	 */
	String condition() default "";

	/**
	 * How many may have the lock at once, over all instances: a call gets it while fewer
	 * than this number have it. 0: as many as the property
	 * {@code watchdog-lock.locks.<name>.permits} says, and one where there is none. One
	 * permit is an exclusive lock. Several are of another kind, and whoever asks for the
	 * same key as a lock fails.
	 * @return from 1 to 64, or 0; not together with {@link LockMode#READ}
	 */
	int permits() default 0;

	/**
	 * Whether others who read may have the lock at the same time. A call that writes may
	 * read the same key; one that reads and is to write fails at once.
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
	 * How long to wait for the lock: {@code 0s} tries once, {@code -1} waits without end;
	 * nothing else is negative. Empty: the property {@code watchdog-lock.wait-time}.
	 * @return the duration
	 */
	String waitTime() default "";

	/**
	 * Given: the lock lasts that long and is <b>not</b> renewed. Empty or {@code -1}: it
	 * lasts as long as the property {@code watchdog-lock.lease-time} says, and is renewed
	 * while the method runs. Where the caller has the lock already, the stronger counts,
	 * of this and of what it has: it lasts as long as the longer of the two, and is
	 * renewed if one of them is.
	 * @return the duration
	 */
	String leaseTime() default "";

	/**
	 * Overrides whether the lease is renewed.
	 * @return the rule
	 */
	Renewal renewal() default Renewal.DEFAULT;

	/**
	 * How long the lock is held at most: who still has it then has lost it. Empty: the
	 * property {@code watchdog-lock.max-hold-time}.
	 * @return the duration, positive
	 */
	String maxHoldTime() default "";

	/**
	 * How long the lock stays taken at least, even if the method is quicker: nobody gets
	 * it before, here or elsewhere, unless the instance dies. The caller is not delayed.
	 * Empty: no minimum.
	 * @return the duration, not negative; not longer than a lease that is not renewed
	 */
	String minHoldTime() default "";

	/**
	 * What happens when the lock is not acquired in time.
	 * @return the policy
	 */
	OnContention onContention() default OnContention.DEFAULT;

	/**
	 * The method of the same class that is called instead when the lock is not acquired
	 * in time. It has the same parameters, and may have a
	 * {@link io.github.watchdoglock.LockNotAcquiredException} as one more at the end; it
	 * returns what the method could return. Any visibility. Empty: none.
	 * @return the name of the method
	 */
	String fallback() default "";

	/**
	 * What happens when the lock is lost while the method runs.
	 * @return the policy
	 */
	OnLoss onLoss() default OnLoss.DEFAULT;

}
