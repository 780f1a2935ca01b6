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

package io.github.watchdoglock.container;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.PullImageResultCallback;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.PullResponseItem;
import org.opentest4j.TestAbortedException;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.dockerclient.DockerClientProviderStrategy;
import org.testcontainers.utility.DockerImageName;

/**
 * The images of the tests in containers. If an engine has an image or can pull it, those
 * tests run, and any problem is a failure.
 */
final class RedisImages {

	/* Whether the tests in containers have to run, with each of these images. */
	private static final boolean REQUIRED = System.getProperty("tests", "").equals("containers");

	private static final String ALL = "redis:7.4-alpine,redis:8-alpine,valkey/valkey:8-alpine,valkey/valkey:9-alpine";

	/* An engine that can pull an image reports progress within this time. */
	private static final Duration SILENCE = Duration.ofSeconds(15);

	private static final Map<String, String> problems = new ConcurrentHashMap<>();

	private RedisImages() {
	}

	static Stream<String> named() {
		return Arrays.stream(System.getProperty("redis.image", REQUIRED ? ALL : "redis:8-alpine").split(","));
	}

	static void require(String image) {
		String problem = problems.computeIfAbsent(image, RedisImages::look);
		if (problem.isEmpty()) {
			return;
		}
		if (REQUIRED) {
			throw new AssertionError(problem);
		}
		throw new TestAbortedException(problem);
	}

	private static String look(String image) {
		String problem = problem(image);
		if (!problem.isEmpty() && !REQUIRED) {
			System.out.println("Tests in a container of " + image + " did not run: " + problem);
		}
		return problem;
	}

	/*
	 * Uses the engine directly. Testcontainers needs images of its own, and without a
	 * network it retries a pull for minutes.
	 */
	private static String problem(String image) {
		try (DockerClient client = DockerClientProviderStrategy
			.getClientForConfig(DockerClientFactory.instance().getTransportConfig())) {
			return has(client, image) ? "" : pull(client, image);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		catch (Exception ex) {
			return "no Docker engine has the image: " + ex.getMessage();
		}
	}

	private static boolean has(DockerClient client, String image) {
		try {
			return client.inspectImageCmd(image).exec() != null;
		}
		catch (NotFoundException ex) {
			return false;
		}
	}

	private static String pull(DockerClient client, String image) throws InterruptedException {
		DockerImageName name = DockerImageName.parse(image);
		Pull pull = client.pullImageCmd(name.getUnversionedPart()).withTag(name.getVersionPart()).exec(new Pull());
		while (!pull.awaitCompletion(100, TimeUnit.MILLISECONDS)) {
			if (pull.isSilent()) {
				return "the Docker engine does not have the image " + image + ", and has nothing to say of pulling it: "
						+ "name another one by -Dredis.image";
			}
		}
		return "";
	}

	/**
	 * An image that is being pulled.
	 */
	private static final class Pull extends PullImageResultCallback {

		private volatile long heard = System.nanoTime();

		@Override
		public void onNext(PullResponseItem item) {
			this.heard = System.nanoTime();
			super.onNext(item);
		}

		private boolean isSilent() {
			return System.nanoTime() - this.heard > SILENCE.toNanos();
		}

	}

}
