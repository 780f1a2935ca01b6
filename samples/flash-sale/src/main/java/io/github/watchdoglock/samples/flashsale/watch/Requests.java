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

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;

import org.springframework.stereotype.Component;

/**
 * A client that sends requests to instances, including this one.
 */
@Component
class Requests {

	static final int NO_ANSWER = 0;

	private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	/* Return the status of the answer. */
	CompletableFuture<Integer> post(String uri) {
		HttpRequest request = HttpRequest.newBuilder(URI.create(uri)).POST(BodyPublishers.noBody()).build();
		return this.http.sendAsync(request, BodyHandlers.discarding())
			.thenApply(HttpResponse::statusCode)
			.exceptionally((ex) -> NO_ANSWER);
	}

}
