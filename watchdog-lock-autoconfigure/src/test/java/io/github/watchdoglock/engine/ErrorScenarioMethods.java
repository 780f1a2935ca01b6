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

package io.github.watchdoglock.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.interceptor.LockAdvisor;
import io.github.watchdoglock.interceptor.declaration.LockDefaults;
import io.github.watchdoglock.interceptor.declaration.LockSpecSource;
import io.github.watchdoglock.listener.Instrumentation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

/**
 * Annotated methods that are called in {@link ErrorScenarios}.
 */
class ErrorScenarioMethods {

	/* Translates each method once, before an error is thrown. */
	private static final LockSpecSource SOURCE = new LockSpecSource((name) -> new LockDefaults(Duration.ofSeconds(30),
			Duration.ofSeconds(10), null, OnContention.FAIL, OnLoss.REPORT, (lease) -> {
			}), (text) -> text, new StaticListableBeanFactory());

	static ErrorScenarioMethods under(LockService service) {
		ProxyFactory factory = new ProxyFactory(new ErrorScenarioMethods());
		factory.setProxyTargetClass(true);
		factory.addAdvisor(new LockAdvisor(SOURCE, () -> service, (transaction) -> () -> false, Instrumentation.NONE,
				() -> LockAdvisor.DEFAULT_ORDER));
		return (ErrorScenarioMethods) factory.getProxy(ErrorScenarioMethods.class.getClassLoader());
	}

	@DistributedLock(name = "orders", key = "#ids", onLoss = OnLoss.FAIL)
	String run(List<String> ids) {
		return "done";
	}

	@DistributedLock(name = "orders", key = "#ids")
	String fail(List<String> ids) {
		throw new IllegalStateException("business");
	}

	@DistributedLock(name = "orders", key = "#ids", waitTime = "0s", onContention = OnContention.SKIP)
	@Nullable String skip(List<String> ids) {
		return "done";
	}

	@DistributedLock(name = "orders", key = "#ids", waitTime = "1s", onContention = OnContention.SKIP)
	@Nullable String waitAndSkip(List<String> ids) {
		return "done";
	}

	@DistributedLock(name = "orders", key = "#ids", waitTime = "0s", fallback = "instead")
	String fallBack(List<String> ids) {
		return "done";
	}

	String instead(List<String> ids) {
		return "instead";
	}

	@DistributedLock(name = "orders", key = "#ids", onLoss = OnLoss.INTERRUPT)
	CompletableFuture<String> follow(List<String> ids, CompletableFuture<String> work) {
		return work;
	}

	@DistributedLock(name = "orders", key = "#ids", onLoss = OnLoss.FAIL)
	CompletableFuture<String> failLater(List<String> ids) {
		throw new IllegalStateException("business");
	}

	@DistributedLock(name = "orders", key = "#ids", waitTime = "0s")
	CompletionStage<String> refuse(List<String> ids) {
		return CompletableFuture.completedFuture("done");
	}

}
