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
 * An application with a web server, asked over HTTP.
 */
public final class RunningApplication implements AutoCloseable {

	/**
	 * Nobody is asked who they are.
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
	 * @param properties its properties, besides those that it needs
	 * @return the application
	 */
	public static RunningApplication start(String... properties) {
		return start(List.of(), properties);
	}

	/**
	 * Start an application.
	 * @param sources its configuration classes, besides those that it needs
	 * @param properties its properties, besides those that it needs
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
	 * Its locks.
	 * @return the service
	 */
	public LockService locks() {
		return bean(LockService.class);
	}

	/**
	 * One of its beans.
	 * @param type what it is
	 * @param <T> what it is
	 * @return the bean
	 */
	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	/**
	 * Ask for something.
	 * @param path below the actuator's
	 * @return the answer
	 */
	public Answer get(String path) {
		return ask("GET", path, null);
	}

	/**
	 * Ask for something.
	 * @param method of HTTP
	 * @param path below the actuator's
	 * @param user name and password, joined by a colon; null for nobody
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
	 * What came back.
	 *
	 * @param status its code
	 * @param text its body
	 */
	public record Answer(int status, String text) {

		/**
		 * The body, where it is JSON.
		 * @return its members
		 */
		public Map<String, Object> json() {
			return JsonParserFactory.getJsonParser().parseMap(this.text);
		}

		/**
		 * The members of an array in the body.
		 * @param name of the array
		 * @return its members
		 */
		@SuppressWarnings("unchecked")
		public List<Map<String, Object>> list(String name) {
			return (List<Map<String, Object>>) json().getOrDefault(name, List.of());
		}

		/**
		 * An object in the body.
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
