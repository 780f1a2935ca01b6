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

package io.github.watchdoglock.annotated;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.autoconfigure.WatchdogLockAdviceAutoConfiguration;
import io.github.watchdoglock.autoconfigure.WatchdogLockAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Classes that can't have a subclass, and so no proxy by class.
 */
class FinalClassesTests {

	private final ApplicationContextRunner contexts = new ApplicationContextRunner()
		.withPropertyValues("watchdog-lock.store=local")
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, WatchdogLockAutoConfiguration.class,
				WatchdogLockAdviceAutoConfiguration.class));

	@Test
	void finalClassIsRefusedNamingTheMethodAndWhatToDo() {
		assertRefused(FinalShop.class, "FinalShop is final", "Remove 'final' from the class");
	}

	@Test
	void finalClassWithAnInterfaceIsRefusedWhereProxiesAreOfClasses() {
		assertRefused(FinalSeller.class, "FinalSeller is final", "Remove 'final' from the class");
	}

	@Test
	void recordAndSealedClassAreRefused() {
		assertRefused(RecordShop.class, "RecordShop is final", "Make it a class that is not final");
		assertRefused(SealedShop.class, "SealedShop is sealed", "Remove 'sealed' from the class");
	}

	@Test
	void finalClassWithoutInterfacesIsRefusedWhereProxiesAreOfInterfacesToo() {
		this.contexts.withPropertyValues("spring.aop.proxy-target-class=false")
			.withUserConfiguration(FinalShop.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(LockConfigurationException.class));
	}

	@Test
	void finalClassBehindItsInterfaceIsLocked() {
		this.contexts.withPropertyValues("spring.aop.proxy-target-class=false")
			.withUserConfiguration(FinalSeller.class)
			.run((context) -> assertThat(context.getBean(Seller.class).sell()).isEqualTo("sold"));
	}

	@Test
	void finalClassWithoutLocksAndOneOfAFactoryThatHasNoneAreLeftAlone() {
		this.contexts.withUserConfiguration(Unlocked.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void productOfAFactoryIsFoundWhenItIsMade() {
		this.contexts.withUserConfiguration(ShopFactory.class)
			.run((context) -> assertThatExceptionOfType(Exception.class)
				.isThrownBy(() -> context.getBean(FinalShop.class))
				.havingRootCause()
				.isInstanceOf(LockConfigurationException.class));
	}

	private void assertRefused(Class<?> type, String problem, String action) {
		this.contexts.withUserConfiguration(type)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(LockConfigurationException.class, (ex) -> {
					assertThat(ex).hasMessageContaining(type.getName() + ".sell()").hasMessageContaining(problem);
					assertThat(ex.getAction()).contains(action, "LockService");
				}));
	}

	interface Seller {

		String sell();

	}

	static final class FinalShop {

		@DistributedLock
		String sell() {
			return "sold";
		}

	}

	static final class FinalSeller implements Seller {

		@Override
		@DistributedLock
		public String sell() {
			return "sold";
		}

	}

	record RecordShop() {

		@DistributedLock
		String sell() {
			return "sold";
		}

	}

	static sealed class SealedShop {

		@DistributedLock
		String sell() {
			return "sold";
		}

	}

	static final class Outlet extends SealedShop {

		@Override
		String sell() {
			return "sold";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Unlocked {

		@Bean
		LockKey key() {
			return LockKey.of("a record");
		}

	}

	@Import(Factory.class)
	static class ShopFactory {

	}

	static class Factory implements FactoryBean<FinalShop> {

		@Override
		public FinalShop getObject() {
			return new FinalShop();
		}

		@Override
		public Class<?> getObjectType() {
			return FinalShop.class;
		}

	}

}
