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

import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.support.InterceptorFixture;
import org.junit.jupiter.api.Test;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Ordered;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockedClassCheck}.
 */
class LockedClassCheckTests {

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	private final LockedClassCheck check = new LockedClassCheck(new InterceptorFixture().source, this.beans);

	private final RootBeanDefinition definition = new RootBeanDefinition(Shop.class);

	private final ProxyConfig creator = new ProxyConfig();

	@Test
	void finalClassWithoutInterfaceIsRejected() {
		this.beans.registerSingleton(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME, this.creator);
		assertRefused(new Shop(), "final", "Remove 'final' from the class");
		this.beans.registerBeanDefinition("bean", this.definition);
		assertRefused(new Shop(), "final", "Remove 'final' from the class");
	}

	@Test
	void recordAndSealedClassAreRejected() {
		this.beans.registerSingleton(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME, this.creator);
		assertRefused(new RecordShop(), "final", "Make it a class that is not final");
		assertRefused(new SealedShop(), "sealed", "Remove 'sealed' from the class");
	}

	@Test
	void finalClassWithInterfaceIsRejectedOnlyWithClassProxy() {
		this.beans.registerSingleton(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME, this.creator);
		this.beans.registerBeanDefinition("bean", this.definition);
		assertPasses(new Seller());
		this.definition.setAttribute(AutoProxyUtils.PRESERVE_TARGET_CLASS_ATTRIBUTE, true);
		assertRefused(new Seller(), "final", "Remove 'final' from the class");
		this.definition.setAttribute(AutoProxyUtils.PRESERVE_TARGET_CLASS_ATTRIBUTE, false);
		this.creator.setProxyTargetClass(true);
		assertRefused(new Seller(), "final", "Remove 'final' from the class");
		this.definition.setAttribute(AutoProxyUtils.EXPOSED_INTERFACES_ATTRIBUTE, new Class<?>[] { Runnable.class });
		assertPasses(new Seller());
	}

	@Test
	void checkRunsWithLowestPrecedence() {
		assertThat(this.check.getOrder()).isEqualTo(Ordered.LOWEST_PRECEDENCE);
	}

	private void assertPasses(Object bean) {
		assertThat(this.check.postProcessAfterInitialization(bean, "bean")).isSameAs(bean);
	}

	private void assertRefused(Object bean, String kind, String action) {
		String name = bean.getClass().getName();
		InterceptorFixture.assertRefused(() -> this.check.postProcessAfterInitialization(bean, "bean"), action,
				"@DistributedLock on " + name + ".", name + " is " + kind);
	}

	static final class Shop {

		@DistributedLock
		void sell() {
		}

	}

	record RecordShop() {

		@DistributedLock
		void sell() {
		}

	}

	static sealed class SealedShop {

		@DistributedLock
		void sell() {
		}

	}

	static final class Outlet extends SealedShop {

	}

	static final class Seller implements Runnable {

		@Override
		@DistributedLock
		public void run() {
		}

	}

}
