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

package com.example.lines;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

import org.springframework.core.env.Environment;

/**
 * The application's actuator, over HTTP.
 */
record Actuator(Environment environment) {

	private static final HttpClient client = HttpClient.newHttpClient();

	HttpResponse<String> get(String path) throws IOException, InterruptedException {
		return send("GET", path);
	}

	HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
		String port = this.environment.getRequiredProperty("local.server.port");
		return client.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/" + path))
			.method(method, HttpRequest.BodyPublishers.noBody())
			.build(), HttpResponse.BodyHandlers.ofString());
	}

}
