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

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AliasFor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where the annotation may stand, behind the proxies of an application that asks for
 * interfaces (row S3 of the failures of others).
 */
class PlacesOfTheAnnotationTests {

	@RegisterExtension
	static final LocalApplication application = new LocalApplication(Beans.class,
			"spring.aop.proxy-target-class=false");

	@Test
	void classBehindAnInterfaceProxyIsLocked() {
		Shop shop = application.bean(Shop.class);
		assertThat(AopUtils.isJdkDynamicProxy(shop)).isTrue();
		assertThat(shop.sell("1")).containsExactly(LockKey.of("shop"));
	}

	@Test
	void genericMethodOfAnInterfaceIsLocked() {
		Repository<String> repository = application.bean(TextRepository.class);
		assertThat(AopUtils.isJdkDynamicProxy(repository)).isTrue();
		assertThat(repository.save("1")).containsExactly(LockKey.of("repository", "1"));
	}

	@Test
	void classWithoutInterfacesIsLockedByWhatItInherits() {
		Inheriting inheriting = application.bean(Inheriting.class);
		assertThat(AopUtils.isCglibProxy(inheriting)).isTrue();
		assertThat(inheriting.inherited()).containsExactly(LockKey.of("inherited"));
		assertThat(inheriting.overridden()).containsExactly(LockKey.of("overridden"));
	}

	@Test
	void composedAndRepeatedAnnotationsAreFound() {
		Inheriting inheriting = application.bean(Inheriting.class);
		assertThat(inheriting.composed("7")).containsExactly(LockKey.of("accounts", "7"));
		assertThat(inheriting.repeated()).containsExactlyInAnyOrder(LockKey.of("first"), LockKey.of("second"));
	}

	static List<LockKey> held() {
		return application.held().stream().map((lock) -> lock.key()).toList();
	}

	interface Shop {

		List<LockKey> sell(String id);

	}

	@DistributedLock("shop")
	static class LockedShop implements Shop {

		@Override
		public List<LockKey> sell(String id) {
			return held();
		}

	}

	interface Repository<T> {

		@DistributedLock(name = "repository", key = "#p0")
		List<LockKey> save(T value);

	}

	interface TextRepository extends Repository<String> {

	}

	static class Texts implements TextRepository {

		@Override
		public List<LockKey> save(String value) {
			return held();
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock("accounts")
	@interface AccountLock {

		@AliasFor(annotation = DistributedLock.class, attribute = "key")
		String value();

	}

	static class Base {

		@DistributedLock("inherited")
		List<LockKey> inherited() {
			return held();
		}

		@DistributedLock("overridden")
		List<LockKey> overridden() {
			return List.of();
		}

	}

	static class Inheriting extends Base {

		@Override
		List<LockKey> overridden() {
			return held();
		}

		@AccountLock("#id")
		List<LockKey> composed(String id) {
			return held();
		}

		@DistributedLock("second")
		@DistributedLock("first")
		List<LockKey> repeated() {
			return held();
		}

	}

	@Import({ LockedShop.class, Texts.class, Inheriting.class })
	static class Beans {

	}

}
