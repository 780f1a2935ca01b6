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

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.Future;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.annotation.LeaderOnly;
import io.github.watchdoglock.annotation.LockedJob;
import io.github.watchdoglock.support.InterceptorFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.core.annotation.AliasFor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link DeclaredAnnotation}: messages name the annotation in the source code,
 * and only attributes that it has.
 */
class DeclaredAnnotationTests {

	private static final String QUARTER = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

	private static final String TOO_LONG = QUARTER + QUARTER + QUARTER + QUARTER;

	private static final String PLACE = DeclaredAnnotationTests.class.getName() + "$";

	private final InterceptorFixture fixture = new InterceptorFixture();

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					sku | @DistributedLock | 'name' is '#sku', but names are not evaluated | without '#', and 'key' for the part that comes
					part | @DistributedLock | 'name' is 'stock-#sku', but names | without '#', and 'key' for the part that comes
					placeholder | @DistributedLock | 'name' is '#sku', but names are not evaluated | without '#', and 'key' for
					longName | @DistributedLock | 'name' of a lock may have at most 255 characters, and has 256 | of 1 to 255 characters
					job | @LockedJob | 'name' is '#sku', but names are not evaluated | without '#', and 'key' for the part
					count | @LockedJob | it skips the method if the lock cannot be acquired, and it returns | Return Integer
					minimum | @LockedJob | 'minHoldTime' is '5', a number without a unit | Write 5s for seconds
					stock | @PerArticle | 'article' is '#article', but the method has no parameter | Did you mean #sku?
					named | @PerArticle | 'lock' is '#sku', but names are not evaluated | without '#', and 'article' for the part
					aliased | @PerShop | 'article' is '#article', but the method has no parameter | Did you mean #sku?
					fixed | @PerOrder | 'key' of its @DistributedLock is '#orderId', but the method has no | Did you mean #sku?
					nested | @Nightly | 'least' is 'long', which is not a duration | Write a duration
					both | @Nightly | 'least' is 'short', which is not a duration | Write a duration
					leader | @Reporter | it skips the method unless this instance leads, and it returns | Return Integer
					future | @LockedJob | it returns Future | Return a CompletableFuture
					repeated | @PerArticle | 'article' is '#article', but the method has no | Did you mean #sku?
					""")
	void errorMessageNamesAnnotationThatMethodDeclares(String method, String annotation, String problem,
			String action) {
		this.fixture.environment.withProperty("sku", "#sku");
		assertThatExceptionOfType(LockConfigurationException.class)
			.isThrownBy(() -> this.fixture.lockedMethod(Wrong.class, method))
			.withMessageStartingWith(annotation + " on " + PLACE + "Wrong." + method + "(")
			.withMessageContaining(problem)
			.satisfies((ex) -> assertThat(ex.getAction()).contains(action));
	}

	@Test
	void configurationExceptionKeepsCauseOfInvalidName() {
		assertThatExceptionOfType(LockConfigurationException.class)
			.isThrownBy(() -> this.fixture.lockedMethod(Wrong.class, "tooLongJob"))
			.withMessageStartingWith("@LockedJob on ")
			.withCauseInstanceOf(LockKeyException.class);
	}

	@Test
	void messageAboutPrivateOrFinalMethodNamesItsAnnotation() {
		InterceptorFixture.assertRefused(() -> this.fixture.check(new Hidden()), "",
				"@Nightly on " + PLACE + "Hidden.work(): it is private");
		InterceptorFixture.assertRefused(() -> this.fixture.check(new Final()), "",
				"@PerOrder on " + PLACE + "Final.work(String): it is final");
		assertThatExceptionOfType(LockConfigurationException.class).isThrownBy(() -> this.fixture.check(new Leading()))
			.withMessageStartingWith("@LeaderOnly on " + PLACE + "Leading.work(): it is private")
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("without the lock"));
	}

	@Target({ ElementType.METHOD, ElementType.TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock(waitTime = "2s")
	@interface PerArticle {

		@AliasFor(annotation = DistributedLock.class, attribute = "key")
		String article() default "#sku";

		@AliasFor(annotation = DistributedLock.class, attribute = "value")
		String lock() default "articles";

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock("shops")
	@interface PerShop {

		@AliasFor(annotation = PerShop.class, attribute = "shop")
		String value() default "";

		@AliasFor(annotation = PerShop.class, attribute = "value")
		String shop() default "";

		@AliasFor(annotation = DistributedLock.class, attribute = "key")
		String article() default "#sku";

	}

	@Target({ ElementType.METHOD, ElementType.TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock(name = "orders", key = "#orderId")
	@interface PerOrder {

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@LockedJob(maxHoldTime = "5m")
	@interface Nightly {

		@AliasFor(annotation = LockedJob.class, attribute = "minHoldTime")
		String least() default "";

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@LeaderOnly("reports")
	@interface Reporter {

	}

	static class Wrong {

		@DistributedLock("#sku")
		void sku(String sku) {
		}

		@DistributedLock(name = "stock-#sku")
		void part(String sku) {
		}

		@DistributedLock("${sku}")
		void placeholder(String sku) {
		}

		@DistributedLock(TOO_LONG)
		void longName() {
		}

		@LockedJob(TOO_LONG)
		void tooLongJob() {
		}

		@LockedJob("#sku")
		void job() {
		}

		@LockedJob
		int count() {
			return 1;
		}

		@LockedJob(minHoldTime = "5")
		void minimum() {
		}

		@PerArticle(article = "#article")
		void stock(String sku) {
		}

		@PerArticle(lock = "#sku")
		void named(String sku) {
		}

		@PerShop(value = "east", article = "#article")
		void aliased(String sku) {
		}

		@PerOrder
		void fixed(String sku) {
		}

		@Nightly(least = "long")
		void nested() {
		}

		@DistributedLock("first")
		@Nightly(least = "short")
		void both() {
		}

		@Reporter
		int leader() {
			return 1;
		}

		@LockedJob
		@Nullable Future<String> future() {
			return null;
		}

		@DistributedLock(name = "a", onContention = OnContention.FAIL)
		@DistributedLock("b")
		@PerArticle(article = "#article")
		void repeated(String sku) {
		}

	}

	static class Hidden {

		@Nightly
		@SuppressWarnings("UnusedMethod")
		private void work() {
		}

	}

	static class Leading {

		@LeaderOnly("reports")
		@SuppressWarnings("UnusedMethod")
		private void work() {
		}

	}

	@PerOrder
	public static class Final {

		public final void work(String orderId) {
		}

	}

}
