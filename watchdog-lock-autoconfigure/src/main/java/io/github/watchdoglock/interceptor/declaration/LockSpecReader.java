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

package io.github.watchdoglock.interceptor.declaration;

import java.time.Duration;
import java.util.function.Function;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRelease;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.Renewal;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.interceptor.contention.Contention;
import io.github.watchdoglock.interceptor.contention.ResultType;
import io.github.watchdoglock.interceptor.key.LockExpression;
import io.github.watchdoglock.interceptor.key.LockExpressionParser;
import org.jspecify.annotations.Nullable;

/**
 * Translates one annotation of a method, completed by the defaults of its lock's name,
 * and rejects attributes that are not valid.
 */
final class LockSpecReader {

	private final DeclaredAnnotation declared;

	private final DistributedLock annotation;

	private final AttributeReader attributes;

	private final LockExpressionParser expressions;

	private final Class<?> targetClass;

	private final ResultType result;

	private final String name;

	private final LockDefaults defaults;

	LockSpecReader(DeclaredAnnotation declared, AttributeReader attributes, DerivedNames names,
			Function<String, LockDefaults> defaults, LockExpressionParser expressions, Class<?> targetClass,
			ResultType result) {
		this.declared = declared;
		this.annotation = (DistributedLock) declared.annotation();
		this.attributes = attributes;
		this.expressions = expressions;
		this.targetClass = targetClass;
		this.result = result;
		this.name = name(names);
		this.defaults = defaults.apply(this.name);
	}

	LockSpec read() {
		LockKind kind = LockKind.of(this.declared, this.defaults);
		Lease lease = lease();
		OnLoss onLoss = this.annotation.onLoss();
		boolean fenced = fenced(kind);
		return new LockSpec(this.name, expression("condition", this.annotation.condition()),
				expression("key", this.annotation.key()), this.defaults.keys(), kind, waitTime(), lease,
				minHoldTime(lease), maxHoldTime(), (onLoss != OnLoss.DEFAULT) ? onLoss : this.defaults.onLoss(),
				contention(), fenced, release(kind, lease, fenced));
	}

	private String name(DerivedNames names) {
		String given = this.annotation.name();
		String name = given.isEmpty() ? names.of(this.declared) : this.attributes.text("name", given);
		if (!given.isEmpty() && name.contains("#")) {
			throw this.declared.problem(
					this.declared.quoted("name") + " is '" + name + "', but names are not evaluated",
					"Use a name without '#'" + (this.declared.has("key")
							? ", and '" + this.declared.name("key") + "' for the part that comes from arguments."
							: "."));
		}
		try {
			return LockKey.of(name).name();
		}
		catch (LockKeyException ex) {
			throw this.declared.problem(String.valueOf(ex.getMessage()),
					"Use a fixed name such as \"orders\", of 1 to 255 characters.", ex);
		}
	}

	private @Nullable LockExpression expression(String attribute, String text) {
		return text.isEmpty() ? null : this.expressions.parse(attribute, this.declared.quoted(attribute), text,
				this.declared.method(), this.targetClass);
	}

	private Duration waitTime() {
		Duration given = this.attributes.duration("waitTime", this.annotation.waitTime(), Duration.ZERO);
		return (given != null) ? given : this.defaults.waitTime();
	}

	private Lease lease() {
		Duration given = this.attributes.duration("leaseTime", this.annotation.leaseTime(), Duration.ZERO);
		Renewal renewal = (this.annotation.renewal() != Renewal.DEFAULT) ? this.annotation.renewal()
				: this.defaults.renewal();
		try {
			Lease lease = (given == null || given.isNegative())
					? new Lease(this.defaults.leaseTime(), renewal != Renewal.OFF)
					: new Lease(given, renewal == Renewal.ON);
			this.defaults.leaseRule().accept(lease);
			return lease;
		}
		catch (IllegalArgumentException ex) {
			throw this.declared.problem(
					((given != null)
							? this.declared.quoted("leaseTime") + " is '" + this.annotation.leaseTime() + "', which"
							: "the lease of watchdog-lock.lease-time or watchdog-lock.locks.<name>.lease-time")
							+ " is not allowed: " + ex.getMessage(),
					"Change " + this.declared.quoted("leaseTime")
							+ ", or leave it out to use watchdog-lock.lease-time, with renewal.",
					ex);
		}
	}

	private @Nullable Duration minHoldTime(Lease lease) {
		Duration given = this.attributes.duration("minHoldTime", this.annotation.minHoldTime(), Duration.ZERO);
		Duration minimum = (given != null) ? given : this.defaults.minHoldTime();
		if (minimum != null && !lease.renewed() && minimum.compareTo(lease.duration()) > 0) {
			throw this.declared.problem(
					this.declared.quoted("minHoldTime") + " is '"
							+ ((given != null) ? this.annotation.minHoldTime() + "'"
									: minimum.toMillis() + " ms' in watchdog-lock.locks")
							+ ", longer than the lease of " + lease.duration().toMillis() + " ms, which is not renewed",
					"Leave " + this.declared.quoted("leaseTime")
							+ " out, so that the lock is renewed, or make it at least as long.");
		}
		return minimum;
	}

	private @Nullable Duration maxHoldTime() {
		Duration given = this.attributes.duration("maxHoldTime", this.annotation.maxHoldTime(), Duration.ofMillis(1));
		return (given != null) ? given : this.defaults.maxHoldTime();
	}

	private Contention contention() {
		OnContention own = this.annotation.onContention();
		String attribute = this.declared.quoted("onContention");
		if (!this.annotation.fallback().isEmpty()) {
			if (own == OnContention.SKIP) {
				throw this.declared.problem("it has a " + this.declared.quoted("fallback") + ", and " + attribute
						+ " is SKIP, which calls nothing", "Leave one of them out.");
			}
			return Contention.fallback(this.declared.quoted("fallback"), this.annotation.fallback(),
					this.declared.method(), this.targetClass);
		}
		if (((own != OnContention.DEFAULT) ? own : this.defaults.onContention()) != OnContention.SKIP) {
			return Contention.FAIL;
		}
		boolean settable = this.declared.has("onContention");
		String why = settable ? attribute + " is SKIP" : "it skips the method if the lock cannot be acquired";
		return Contention.skip(this.declared.method(), this.result,
				(own != OnContention.DEFAULT) ? why
						: "watchdog-lock.on-contention or watchdog-lock.locks.<name>.on-contention is SKIP",
				settable ? "Set " + this.declared.name("onContention") + " = OnContention.FAIL, or return "
						: "Return ");
	}

	private boolean fenced(LockKind kind) {
		if (!this.annotation.fenced() && !this.defaults.fenced()) {
			return false;
		}
		String problem = null;
		if (kind.permits() > 1) {
			problem = "it has permits: only one holder at a time can be fenced";
		}
		else if (kind.mode() == LockMode.READ) {
			problem = this.declared.quoted("mode") + " is READ: only one holder at a time can be fenced";
		}
		else if (this.result.kind() != ResultType.Kind.PLAIN) {
			problem = "its result is completed later: only transactions of the thread that calls the method are fenced";
		}
		if (problem != null) {
			boolean annotated = this.annotation.fenced();
			throw this.declared.problem(
					(annotated ? this.declared.quoted("fenced") + " is true" : "it is fenced by the properties")
							+ ", and " + problem,
					annotated ? "Remove 'fenced': only exclusive locks of blocking methods can be fenced."
							: "Set watchdog-lock.locks." + this.name + ".fenced=false for this lock.");
		}
		return true;
	}

	/* Only exclusive, renewed locks of blocking methods are kept by a transaction. */
	private LockRelease release(LockKind kind, Lease lease, boolean fenced) {
		boolean annotated = this.annotation.release() != LockRelease.DEFAULT;
		LockRelease release = annotated ? this.annotation.release() : this.defaults.release();
		boolean kept = !fenced && kind.permits() <= 1 && kind.mode() != LockMode.READ && lease.renewed()
				&& this.result.kind() == ResultType.Kind.PLAIN;
		if (release == LockRelease.AFTER_TRANSACTION && !kept) {
			throw this.declared.problem(
					(annotated ? this.declared.quoted("release") + " is AFTER_TRANSACTION"
							: "watchdog-lock.locks.<name>.release is after-transaction")
							+ ", and a transaction cannot keep this lock",
					"Only exclusive, renewed locks of blocking methods that are not fenced can be kept. Remove "
							+ (annotated ? this.declared.quoted("release") + "." : "the property."));
		}
		return (kept && release == LockRelease.DEFAULT) ? LockRelease.AFTER_TRANSACTION : release;
	}

}
