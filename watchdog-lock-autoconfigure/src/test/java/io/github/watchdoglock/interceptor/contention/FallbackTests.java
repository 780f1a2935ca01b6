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

package io.github.watchdoglock.interceptor.contention;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.LockUpgradeException;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.support.InterceptorFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Fallback}.
 */
class FallbackTests {

	private final InterceptorFixture fixture = new InterceptorFixture();

	private final Shop shop = this.fixture.proxy(new Shop());

	@Test
	void fallbackIsCalledOnTheTargetWithTheSameArguments() {
		assertThat(this.shop.buy("phone", 2)).isEqualTo("bought 2 phone");
		this.fixture.service.busy = true;
		assertThat(this.shop.buy("phone", 2)).isEqualTo("later: 2 phone for Shop");
	}

	@Test
	void fallbackWithExceptionParameterIsPreferred() {
		this.fixture.service.busy = true;
		assertThat(this.shop.told("phone"))
			.startsWith("phone: Lock 'Shop.told' was not acquired: another caller holds it");
	}

	@Test
	void fallbackWithOnlyExceptionParameterIsCalled() {
		this.fixture.service.busy = true;
		assertThat(this.shop.close()).startsWith("Lock 'Shop.close' was not acquired");
	}

	@Test
	void fallbackOfGenericMethodMayReturnSubtype() {
		this.fixture.service.busy = true;
		assertThat(this.fixture.proxy(new StringStore()).save("x")).isEqualTo("not saved: x");
	}

	@Test
	void fallbackOfInterfaceMethodIsFoundInClass() {
		this.fixture.service.busy = true;
		assertThat(this.fixture.interfaceProxy(new StringStore(), Loader.class).load("x")).isEqualTo("none");
	}

	@Test
	void lockUpgradeExceptionIsThrownInsteadOfFallback() {
		this.fixture.service.failure = new LockUpgradeException(LockKey.of("Shop.buy"));
		assertThatExceptionOfType(LockUpgradeException.class).isThrownBy(() -> this.shop.buy("phone", 2));
	}

	@Test
	void exceptionOfFallbackIsThrownUnchanged() {
		this.fixture.service.busy = true;
		assertThatIOException().isThrownBy(this.shop::failing).withMessage("no fallback either");
	}

	@Test
	void fallbackIsCalledOnlyIfOwnLockIsBusy() {
		this.fixture.service.failure = new LockStoreException("down", null);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.shop.buy("phone", 1));
		this.fixture.service.failure = null;
		this.fixture.service.interrupted = true;
		assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> this.shop.buy("phone", 1));
		assertThat(Thread.interrupted()).isTrue();
		this.fixture.service.interrupted = false;
		assertThatIllegalStateException().isThrownBy(() -> this.shop.buy("nothing", 1));
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.shop.buy("contended", 1));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					missing    | has no method absent(String, int) or absent(String, int, LockNotAcquiredException) | Add one
					parameters | has no method other(String) or other(String, LockNotAcquiredException)             | Add one
					result     | which returns int and not String                                                   | same
					nothing    | which returns void and not String                                                  | same
					both       | 'onContention' is SKIP                                                             | Leave one
					itself     | the method itself, which would run without its lock                                | Name another
					""")
	void invalidFallbackIsRejectedWithProblemAndAction(String method, String problem, String action) {
		InterceptorFixture.assertRefused(() -> this.fixture.lockedMethod(Wrong.class, method), action,
				"FallbackTests$Wrong." + method + "(", problem);
	}

	@Test
	void invalidFallbackIsRejectedWhenBeanIsCreated() {
		assertThatExceptionOfType(LockConfigurationException.class).isThrownBy(() -> this.fixture.check(new Wrong()));
	}

	@Test
	void fallbackTakesPrecedenceOverSkipOfProperty() {
		this.fixture.defaults = InterceptorFixture.defaults(this.fixture.defaults.leaseTime(),
				this.fixture.defaults.waitTime(), null, OnContention.SKIP, this.fixture.defaults.onLoss(),
				this.fixture.defaults.leaseRule());
		this.fixture.service.busy = true;
		assertThat(this.shop.buy("phone", 2)).startsWith("later");
	}

	@SuppressWarnings("UnusedMethod")
	public static class Shop {

		private final String name = "Shop";

		@DistributedLock(key = "#item", fallback = "later")
		public String buy(String item, int amount) {
			if (item.equals("nothing")) {
				throw new IllegalStateException("nothing to buy");
			}
			if (item.equals("contended")) {
				throw new LockNotAcquiredException(LockKey.of("inner"), Duration.ZERO, null, null);
			}
			return "bought " + amount + " " + item;
		}

		private String later(String item, int amount) {
			return "later: " + amount + " " + item + " for " + this.name;
		}

		String later(String item) {
			throw new AssertionError("takes other arguments");
		}

		@DistributedLock(fallback = "busy")
		public String close() {
			return "closed";
		}

		String busy(LockNotAcquiredException cause) {
			return String.valueOf(cause.getMessage());
		}

		@DistributedLock(fallback = "say")
		public String told(String item) {
			return "done";
		}

		String say(String item) {
			throw new AssertionError("the other one is preferred");
		}

		String say(String item, LockNotAcquiredException cause) {
			return item + ": " + cause.getMessage();
		}

		@DistributedLock(fallback = "fail")
		public void failing() throws IOException {
		}

		void fail() throws IOException {
			throw new IOException("no fallback either");
		}

	}

	interface Store<T> {

		@DistributedLock(fallback = "none")
		T load(T key);

	}

	interface Loader extends Store<String> {

	}

	public abstract static class BaseStore<T> implements Store<T> {

		@DistributedLock(fallback = "notSaved")
		public Object save(T value) {
			return "saved";
		}

		String notSaved(T value) {
			return "not saved: " + value;
		}

		T none(T key) {
			return key;
		}

	}

	public static class StringStore extends BaseStore<String> implements Loader {

		@Override
		public String load(String key) {
			return key;
		}

		@Override
		String none(String key) {
			return "none";
		}

	}

	public static class Wrong {

		@DistributedLock(fallback = "absent")
		public void missing(String item, int amount) {
		}

		@DistributedLock(fallback = "other")
		public void parameters(String item) {
		}

		void other(Integer item) {
		}

		void other(String item, Exception cause) {
		}

		@DistributedLock(fallback = "number")
		public @Nullable String result() {
			return null;
		}

		int number() {
			return 1;
		}

		@DistributedLock(fallback = "noResult")
		public @Nullable String nothing() {
			return null;
		}

		void noResult() {
		}

		@DistributedLock(fallback = "itself")
		public void itself() {
		}

		@DistributedLock(fallback = "list", onContention = OnContention.SKIP)
		public List<String> both() {
			return List.of();
		}

		List<String> list() {
			return List.of();
		}

	}

}
