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

package io.github.watchdoglock.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.images.RemoteDockerImage;
import org.testcontainers.utility.DockerImageName;

import org.springframework.util.function.SingletonSupplier;

/**
 * The image of the tests in containers, which are skipped where no Docker engine has it
 * soon. Testcontainers itself tries for minutes what an engine without a network can't
 * pull.
 */
final class RedisImage implements ExecutionCondition {

	static final DockerImageName NAME = DockerImageName.parse(System.getProperty("redis.image", "redis:8-alpine"));

	private static final Duration PATIENCE = Duration.ofSeconds(15);

	private static final SingletonSupplier<ConditionEvaluationResult> RESULT = SingletonSupplier.of(RedisImage::look);

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		return RESULT.obtain();
	}

	private static ConditionEvaluationResult look() {
		CompletableFuture<Void> pulled = new CompletableFuture<>();
		Thread thread = new Thread(() -> pull(pulled), "pull-" + NAME);
		thread.setDaemon(true);
		thread.start();
		try {
			pulled.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
			return ConditionEvaluationResult.enabled("The Docker engine has " + NAME);
		}
		catch (TimeoutException ex) {
			return skipped("the Docker engine has not got the image " + NAME + " within " + PATIENCE.toSeconds()
					+ " s: pull it before, or name another one by -Dredis.image");
		}
		catch (ExecutionException ex) {
			return skipped(String.valueOf(ex.getMessage()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return skipped("interrupted");
		}
	}

	/* The client comes first: it pulls images of its own. */
	private static void pull(CompletableFuture<Void> pulled) {
		try {
			DockerClientFactory.instance().client();
			new RemoteDockerImage(NAME).get();
			pulled.complete(null);
		}
		catch (Throwable ex) {
			pulled.completeExceptionally(ex);
		}
	}

	private static ConditionEvaluationResult skipped(String reason) {
		System.out.println("Tests in containers are skipped: " + reason);
		return ConditionEvaluationResult.disabled(reason);
	}

}
