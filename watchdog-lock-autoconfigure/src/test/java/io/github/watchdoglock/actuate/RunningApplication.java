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

package io.github.watchdoglock.actuate;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import io.github.watchdoglock.LockService;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A running application with a web server, and its endpoints over HTTP.
 */
public final class RunningApplication implements AutoCloseable {

	/**
	 * Turns off authentication.
	 */
	public static final String WITHOUT_SECURITY = "spring.autoconfigure.exclude="
			+ "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration,"
			+ "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration,"
			+ "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration,"
			+ "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration";

	private final HttpClient client = HttpClient.newHttpClient();

	private final ConfigurableApplicationContext context;

	private final URI address;

	private RunningApplication(ConfigurableApplicationContext context) {
		this.context = context;
		this.address = URI
			.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + "/actuator/");
	}

	/**
	 * Start an application.
	 * @param properties its properties, in addition to the required ones
	 * @return the application
	 */
	public static RunningApplication start(String... properties) {
		return start(List.of(), properties);
	}

	/**
	 * Start an application.
	 * @param sources its configuration classes, in addition to the required ones
	 * @param properties its properties, in addition to the required ones
	 * @return the application
	 */
	public static RunningApplication start(List<Class<?>> sources, String... properties) {
		return new RunningApplication(new SpringApplicationBuilder(Application.class)
			.sources(sources.toArray(Class<?>[]::new))
			.web(WebApplicationType.SERVLET)
			.properties("server.port=0", "server.address=127.0.0.1", "spring.application.name=shop",
					"management.endpoints.web.exposure.include=*", "management.endpoint.health.show-details=always",
					"spring.data.redis.repositories.enabled=false")
			.properties(properties)
			.run());
	}

	/**
	 * Return its locks.
	 * @return the service
	 */
	public LockService locks() {
		return bean(LockService.class);
	}

	/**
	 * Return one of its beans.
	 * @param type the type of the bean
	 * @param <T> the type of the bean
	 * @return the bean
	 */
	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	/**
	 * Send a GET request.
	 * @param path below the actuator's
	 * @return the answer
	 */
	public Answer get(String path) {
		return ask("GET", path, null);
	}

	/**
	 * Send a request.
	 * @param method of HTTP
	 * @param path below the actuator's
	 * @param user name and password, joined by a colon; null for an anonymous request
	 * @return the answer
	 */
	public Answer ask(String method, String path, @Nullable String user) {
		HttpRequest.Builder request = HttpRequest.newBuilder(this.address.resolve(path))
			.method(method, HttpRequest.BodyPublishers.noBody());
		if (user != null) {
			request.header("Authorization",
					"Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)));
		}
		try {
			HttpResponse<String> response = this.client.send(request.build(), HttpResponse.BodyHandlers.ofString());
			return new Answer(response.statusCode(), response.body());
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * The answer to a request.
	 *
	 * @param status its status code
	 * @param text its body
	 */
	public record Answer(int status, String text) {

		/**
		 * Parse the body as a JSON object.
		 * @return its members
		 */
		public Map<String, Object> json() {
			return JsonParserFactory.getJsonParser().parseMap(this.text);
		}

		/**
		 * Return the members of an array in the body.
		 * @param name of the array
		 * @return its members
		 */
		@SuppressWarnings("unchecked")
		public List<Map<String, Object>> list(String name) {
			return (List<Map<String, Object>>) json().getOrDefault(name, List.of());
		}

		/**
		 * Return an object in the body.
		 * @param name of the object
		 * @return its members
		 */
		@SuppressWarnings("unchecked")
		public Map<String, Object> object(String name) {
			return (Map<String, Object>) json().getOrDefault(name, Map.of());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		AuditEventRepository audit() {
			return new InMemoryAuditEventRepository();
		}

	}

}
