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

package io.github.watchdoglock.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.github.watchdoglock.autoconfigure.WatchdogLockAdviceAutoConfiguration;
import io.github.watchdoglock.autoconfigure.WatchdogLockAutoConfiguration;
import io.github.watchdoglock.autoconfigure.WatchdogLockLeaderAutoConfiguration;
import io.github.watchdoglock.autoconfigure.WatchdogLockReactiveAutoConfiguration;
import io.github.watchdoglock.autoconfigure.WatchdogLockTransactionAutoConfiguration;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * An annotation for a test class that keeps the locks of the tested application inside
 * the JVM, without a Redis, and adds a {@link TestLocks} bean that plays the other
 * instances. The locks are real ones. Use it together with {@code @SpringBootTest}, a
 * slice such as {@code @WebMvcTest}, or {@code @SpringJUnitConfig}.
 * <p>
 * Leases, wait times and policies are those of the application: {@code watchdog-lock.*}
 * properties of the test shorten them. Fenced locks need a database in the test; in a
 * slice without one, they are locks without a fence. Not promised: anything about Redis.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@TestPropertySource(properties = { "watchdog-lock.enabled=true", "watchdog-lock.store=local" })
@ImportAutoConfiguration({ WatchdogLockAutoConfiguration.class, WatchdogLockAdviceAutoConfiguration.class,
		WatchdogLockLeaderAutoConfiguration.class, WatchdogLockReactiveAutoConfiguration.class,
		WatchdogLockTransactionAutoConfiguration.class, TestFenceConfiguration.class, TestLocksConfiguration.class })
public @interface AutoConfigureTestLocks {

}
