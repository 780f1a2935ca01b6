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

package io.github.watchdoglock.samples.flashsale;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * One instance of the shop in a JVM of its own. Its output is written to a file.
 */
public final class ShopInstance implements AutoCloseable {

	private static final HttpClient http = HttpClient.newHttpClient();

	private final int port;

	private final Process process;

	private ShopInstance(int port, Process process) {
		this.port = port;
		this.process = process;
		Runtime.getRuntime().addShutdownHook(new Thread(this::close));
	}

	public static ShopInstance start(String name, Path data, int redisPort) throws IOException {
		return start(name, data, redisPort, "-Dspring.aot.enabled=false");
	}

	static ShopInstance start(String name, Path data, int redisPort, String option) throws IOException {
		int port = freePort();
		Path output = Files.createDirectories(Path.of(System.getProperty("flash-sale.output")));
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", option, "-jar", System.getProperty("flash-sale.jar"),
				"--server.port=" + port, "--spring.data.redis.port=" + redisPort, "--flash-sale.data=" + data,
				"--watchdog-lock.wait-time=60s")
			.redirectErrorStream(true)
			.redirectOutput(output.resolve(name + ".log").toFile())
			.start();
		return new ShopInstance(port, process);
	}

	public static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	public String url() {
		return "http://127.0.0.1:" + this.port;
	}

	ProcessHandle process() {
		return this.process.toHandle();
	}

	public void awaitReady() {
		await().atMost(Duration.ofMinutes(3)).ignoreExceptions().untilAsserted(() -> {
			assertThat(this.process.isAlive()).isTrue();
			assertThat(get("/actuator/health").statusCode()).isEqualTo(200);
		});
	}

	public HttpResponse<String> get(String path) {
		return send(request(path).GET().build()).join();
	}

	CompletableFuture<HttpResponse<String>> post(String path) {
		return send(request(path).POST(BodyPublishers.noBody()).build());
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create(url() + path)).timeout(Duration.ofMinutes(2));
	}

	private CompletableFuture<HttpResponse<String>> send(HttpRequest request) {
		return http.sendAsync(request, BodyHandlers.ofString());
	}

	@Override
	public void close() {
		// Its Redis is a separate process, which would survive it.
		List<ProcessHandle> children = this.process.descendants().toList();
		this.process.destroy();
		try {
			this.process.waitFor(10, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.process.destroyForcibly();
		children.forEach(ProcessHandle::destroyForcibly);
	}

}
