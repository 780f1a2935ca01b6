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

package io.github.watchdoglock.samples.flashsale.watch;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A headless Chromium that is controlled with the WebDriver protocol. Clicks and keys are
 * real user input, and fail if a user could not perform them.
 */
final class Browser implements AutoCloseable {

	static final String TAB = "\uE004";

	static final String ENTER = "\uE007";

	static final String RIGHT = "\uE014";

	private static final Pattern STARTED = Pattern.compile("started successfully on port (\\d+)");

	private final HttpClient http = HttpClient.newHttpClient();

	private final JsonMapper json = new JsonMapper();

	private final Process driver;

	private final String session;

	private Browser(Process driver, int port, Path profile) {
		this.driver = driver;
		Runtime.getRuntime().addShutdownHook(new Thread(this::end));
		Map<String, Object> options = Map.of("args",
				List.of("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
						"--disable-background-networking", "--disable-component-update", "--disable-sync",
						"--user-data-dir=" + profile, "--window-size=1200,1000"));
		Map<String, Object> wanted = Map.of("browserName", "chrome", "goog:chromeOptions", options, "goog:loggingPrefs",
				Map.of("browser", "ALL"));
		String sessions = "http://127.0.0.1:" + port + "/session";
		this.session = sessions + "/"
				+ send(sessions, Map.of("capabilities", Map.of("alwaysMatch", wanted))).get("sessionId").asString();
	}

	static boolean isInstalled() {
		return isFound("chromedriver") && isFound("chromium");
	}

	static Browser start(Path profile) throws IOException {
		Process driver = new ProcessBuilder("chromedriver", "--port=0").redirectErrorStream(true).start();
		BufferedReader output = driver.inputReader();
		for (String line = output.readLine(); line != null; line = output.readLine()) {
			Matcher started = STARTED.matcher(line);
			if (started.find()) {
				return new Browser(driver, Integer.parseInt(started.group(1)), profile);
			}
		}
		throw new IllegalStateException("chromedriver did not start");
	}

	void open(String url) {
		command("url", Map.of("url", url));
	}

	/**
	 * Run a script in the page.
	 * @param body its statements, with a return
	 * @return the result
	 */
	JsonNode script(String body) {
		return command("execute/sync", Map.of("script", body, "args", List.of()));
	}

	String text(String selector) {
		return script("return document.querySelector('" + selector + "').textContent").asString();
	}

	int number(String selector) {
		return Integer.parseInt(text(selector));
	}

	int count(String selector) {
		return script("return document.querySelectorAll('" + selector + "').length").asInt();
	}

	void click(String selector) {
		command("element/" + element(command("element", Map.of("using", "css selector", "value", selector))) + "/click",
				Map.of());
	}

	void press(String keys) {
		String active = element(send("GET", this.session + "/element/active", BodyPublishers.noBody()));
		command("element/" + active + "/value", Map.of("text", keys));
	}

	void emulate(String command, Map<String, Object> parameters) {
		command("goog/cdp/execute", Map.of("cmd", "Emulation." + command, "params", parameters));
	}

	void resize(int width, int height) {
		emulate("setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
	}

	void prefer(String colorScheme) {
		emulate("setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colorScheme))));
	}

	void picture(Path file, int top, int bottom) throws IOException {
		int width = script("return document.documentElement.clientWidth").asInt();
		JsonNode picture = command("goog/cdp/execute",
				Map.of("cmd", "Page.captureScreenshot", "params", Map.of("captureBeyondViewport", true, "clip",
						Map.of("x", 0, "y", top, "width", width, "height", bottom - top, "scale", 1))));
		Files.createDirectories(file.toAbsolutePath().getParent());
		Files.write(file, Base64.getDecoder().decode(picture.get("data").asString()));
	}

	JsonNode messages() {
		return command("se/log", Map.of("type", "browser"));
	}

	private static boolean isFound(String program) {
		return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
			.splitAsStream(System.getenv().getOrDefault("PATH", ""))
			.anyMatch((folder) -> new File(folder, program).canExecute());
	}

	/* The only field has a name that the protocol defines. */
	private static String element(JsonNode reference) {
		return reference.iterator().next().asString();
	}

	private JsonNode command(String path, Map<String, Object> body) {
		return send(this.session + "/" + path, body);
	}

	private JsonNode send(String uri, Map<String, Object> body) {
		return send("POST", uri, BodyPublishers.ofString(this.json.writeValueAsString(body)));
	}

	private JsonNode send(String method, String uri, BodyPublisher body) {
		HttpRequest request = HttpRequest.newBuilder(URI.create(uri)).method(method, body).build();
		JsonNode answer = this.json.readTree(this.http.sendAsync(request, BodyHandlers.ofString()).join().body())
			.get("value");
		if (answer.has("error")) {
			throw new IllegalStateException(uri + ": " + answer.get("error") + ": " + answer.get("message"));
		}
		return answer;
	}

	private void end() {
		List<ProcessHandle> children = this.driver.descendants().toList();
		this.driver.destroy();
		children.forEach(ProcessHandle::destroyForcibly);
	}

	@Override
	public void close() {
		try {
			send("DELETE", this.session, BodyPublishers.noBody());
		}
		finally {
			end();
		}
	}

}
