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

import java.util.List;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.annotation.LockedJob;
import io.github.watchdoglock.autoconfigure.LockContexts;
import io.github.watchdoglock.support.InterceptorFixture;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link DerivedNames}.
 */
class DerivedNamesTests {

	private final InterceptorFixture fixture = new InterceptorFixture();

	@Test
	void twoMethodsWithOneDerivedNameAreRejectedNamingBoth() {
		this.fixture.check(new Invoices.Job());
		for (int i = 0; i < 2; i++) {
			InterceptorFixture.assertRefused(() -> this.fixture.check(new Mails.Job()),
					"Set 'name' for one of them. If they are meant to exclude each other, set the same name for both.",
					"@LockedJob on " + Mails.Job.class.getName() + ".run(): its lock has no name, and its default name"
							+ " 'Job.run' is also that of " + Invoices.Job.class.getName()
							+ ".run(), so the two methods" + " would exclude each other");
		}
	}

	@Test
	void overloadsWithSameDerivedNameAreRejected() {
		InterceptorFixture.assertRefused(() -> this.fixture.check(new Overloads()), "", "Overloads.buy(",
				"default name 'Overloads.buy' is also that of " + Overloads.class.getName() + ".buy(");
	}

	@Test
	void methodInSeveralBeansMayHaveSameDerivedName() {
		for (Object bean : List.of(new Invoices.Job(), new Invoices.Job(), this.fixture.proxy(new Invoices.Job()),
				new Heir(), new OtherHeir())) {
			assertThatNoException().isThrownBy(() -> this.fixture.check(bean));
		}
	}

	@Test
	void overridingMethodMayHaveNameOfOverriddenMethod() {
		for (List<Object> order : List.<List<Object>>of(List.of(new Plain.Work<String>(), new Special.Work()),
				List.of(new Special.Work(), new Plain.Work<String>()))) {
			InterceptorFixture other = new InterceptorFixture();
			order.forEach((bean) -> assertThatNoException().isThrownBy(() -> other.check(bean)));
			InterceptorFixture.assertRefused(() -> other.check(new Second.Work()), "", "'Work.run'",
					Special.Work.class.getName() + ".run(String)");
		}
	}

	@Test
	void explicitNamesMayEqualDerivedName() {
		for (Object bean : List.of(new Invoices.Job(), new Named(), new AlsoNamed())) {
			assertThatNoException().isThrownBy(() -> this.fixture.check(bean));
		}
		assertThat(this.fixture.asked).containsExactly("Job.run");
	}

	@Test
	void repeatedAnnotationsOfMethodMayShareDerivedName() {
		assertThatNoException().isThrownBy(() -> this.fixture.check(new Twice()));
	}

	@Test
	void duplicateNameFailsStartupOrFirstUseOfLazyBean() {
		ApplicationContextRunner contexts = LockContexts.local().withBean("invoices", Invoices.Job.class);
		contexts.withBean("mails", Mails.Job.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(LockConfigurationException.class)
				.hasMessageContainingAll(Mails.Job.class.getName(), Invoices.Job.class.getName()));
		contexts.withBean("mails", Mails.Job.class, Mails.Job::new, (definition) -> definition.setLazyInit(true))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> context.getBean("mails"))
					.withRootCauseInstanceOf(LockConfigurationException.class);
			});
	}

	@Test
	void separateContextsMayHaveSameDerivedNames() {
		LockContexts.local()
			.withBean(Invoices.Job.class)
			.run((first) -> LockContexts.local()
				.withBean(Mails.Job.class)
				.withParent(first)
				.run((second) -> assertThat(second).hasNotFailed()));
	}

	static final class Invoices {

		static class Job {

			@LockedJob
			void run() {
			}

		}

	}

	static final class Mails {

		static class Job {

			@LockedJob
			void run() {
			}

		}

	}

	static class Heir extends Invoices.Job {

	}

	static class OtherHeir extends Invoices.Job {

	}

	static class Overloads {

		@DistributedLock
		void buy(String sku) {
		}

		@DistributedLock
		void buy(int id) {
		}

	}

	/* Its heirs have bridges. */
	static final class Plain {

		static class Work<T> {

			@DistributedLock
			void run(T parameter) {
			}

		}

	}

	static final class Special {

		static class Work extends Plain.Work<String> {

			@Override
			@DistributedLock
			void run(String parameter) {
			}

		}

	}

	static final class Second {

		static class Work extends Plain.Work<Integer> {

			@Override
			@DistributedLock
			void run(Integer parameter) {
			}

		}

	}

	static class Named {

		@DistributedLock("Job.run")
		void run() {
		}

	}

	static class AlsoNamed {

		@LockedJob("Job.run")
		void run() {
		}

	}

	static class Twice {

		@DistributedLock(key = "#a")
		@DistributedLock(key = "#b")
		void run(String a, String b) {
		}

	}

}
