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

package io.github.watchdoglock.benchmarks.hour;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One instance of the sample in a JVM of its own.
 */
final class Shop implements AutoCloseable {

	private static final Duration STARTING = Duration.ofMinutes(3);

	private static final Pattern COUNT = Pattern.compile("\"statistic\":\"COUNT\",\"value\":([0-9.E]+)");

	private static final Path TOOLS = Path.of(System.getProperty("java.home"), "bin");

	private final HttpClient http;

	private final int port;

	private final Process process;

	private Shop(HttpClient http, int port, Process process) {
		this.http = http;
		this.port = port;
		this.process = process;
	}

	/*
	 * Pools of threads and connections are as large from the beginning as they get, so
	 * that they do not differ by what was asked a moment ago.
	 */
	static Shop start(HttpClient http, Path jar, Path folder, String name, int redisPort) throws IOException {
		int port;
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			port = socket.getLocalPort();
		}
		Process process = new ProcessBuilder(TOOLS.resolve("java").toString(), "-Xmx256m",
				"-Xlog:gc*:file=" + folder.resolve(name + "-gc.log") + ":time,uptime,level,tags", "-jar",
				jar.toString(), "--server.port=" + port, "--spring.data.redis.port=" + redisPort,
				"--flash-sale.data=" + folder.resolve("data"), "--server.tomcat.threads.min-spare=20",
				"--server.tomcat.threads.max=20", "--spring.datasource.hikari.max-lifetime=0")
			.redirectErrorStream(true)
			.redirectOutput(Redirect.to(folder.resolve(name + ".log").toFile()))
			.start();
		return new Shop(http, port, process);
	}

	void awaitReady() throws InterruptedException {
		long deadline = System.nanoTime() + STARTING.toNanos();
		while (System.nanoTime() - deadline < 0 && this.process.isAlive()) {
			if (status(get("/actuator/health")).join() == 200) {
				return;
			}
			TimeUnit.MILLISECONDS.sleep(200);
		}
		throw new IllegalStateException("An instance did not start: see its log");
	}

	/* The status of the answer; negative where there was none. */
	CompletableFuture<Integer> post(String path) {
		return status(
				this.http.sendAsync(request(path).POST(BodyPublishers.noBody()).build(), BodyHandlers.ofString()));
	}

	CompletableFuture<HttpResponse<String>> get(String path) {
		return this.http.sendAsync(request(path).GET().build(), BodyHandlers.ofString());
	}

	static CompletableFuture<Integer> status(CompletableFuture<HttpResponse<String>> response) {
		return response.handle((answer, ex) -> (answer != null) ? answer.statusCode() : -1);
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.port + path))
			.timeout(Duration.ofMinutes(1));
	}

	/* Zero where nothing was counted yet. */
	double count(String meter) {
		Matcher matcher = COUNT.matcher(get("/actuator/metrics/" + meter).join().body());
		return matcher.find() ? Double.parseDouble(matcher.group(1)) : 0;
	}

	/*
	 * After collections: what the first one finds unreachable may hold on to something
	 * until it is told so.
	 */
	Census census() throws IOException, InterruptedException {
		for (int i = 0; i < 2; i++) {
			ask("GC.run");
			TimeUnit.SECONDS.sleep(1);
		}
		return Census.parse(ask("GC.class_histogram"), ask("Thread.print"));
	}

	private String ask(String command) throws IOException {
		Process jcmd = new ProcessBuilder(TOOLS.resolve("jcmd").toString(), String.valueOf(this.process.pid()), command)
			.redirectErrorStream(true)
			.start();
		return new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
	}

	Duration cpu() {
		return this.process.info().totalCpuDuration().orElse(Duration.ZERO);
	}

	@Override
	public void close() {
		this.process.destroy();
		try {
			if (!this.process.waitFor(15, TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
	}

	/* All of them. */
	static void closeAll(List<Shop> shops) {
		shops.forEach(Shop::close);
	}

}
