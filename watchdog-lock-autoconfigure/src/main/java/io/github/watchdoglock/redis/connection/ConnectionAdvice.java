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

package io.github.watchdoglock.redis.connection;

import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Advice about connections that cannot be opened although a server listens at the
 * address. It is found through the messages of drivers and of the JDK, which have no
 * exception types for these failures.
 */
final class ConnectionAdvice {

	private static final Map<String, String> BY_WORDS = new LinkedHashMap<>();

	static {
		BY_WORDS.put("unable to find valid certification path",
				"the server's certificate is not trusted: add its authority to the truststore of the SSL bundle");
		String refused = "the server does not accept this application's certificate, or requires one: renew it, or add"
				+ " it to the keystore of the SSL bundle";
		BY_WORDS.put("Received fatal alert: certificate", refused);
		BY_WORDS.put("Received fatal alert: bad_certificate", refused);
		BY_WORDS.put("Received fatal alert: unknown_ca", refused);
		// A client that is writing at that moment does not read the alert.
		BY_WORDS.put("Broken pipe", "the server closed the connection. If this happens each time with TLS, " + refused);
		String plain = "this port does not use TLS: set the port that does, or remove spring.data.redis.ssl";
		BY_WORDS.put("not an SSL/TLS record", plain);
		BY_WORDS.put("Unsupported or unrecognized SSL message", plain);
		String tls = "the answer is not from Redis without TLS: if this port uses TLS, set"
				+ " spring.data.redis.ssl.enabled to true";
		BY_WORDS
			.put("Connection closed prematurely", "the server or a proxy before it closed the connection: if it does"
					+ " not know the command HELLO, set ProtocolVersion.RESP2 in a LettuceClientOptionsBuilderCustomizer");
		BY_WORDS.put("Invalid first byte", tls);
		BY_WORDS.put("Unknown reply", tls);
	}

	private ConnectionAdvice() {
	}

	/* Return the advice for a single cause, or null if its own message has to suffice. */
	static @Nullable String of(Throwable cause) {
		if (cause instanceof CertificateExpiredException) {
			return "the server's certificate has expired: renew it there";
		}
		if (cause instanceof CertificateNotYetValidException) {
			return "the server's certificate is not valid yet: compare the clocks";
		}
		String message = String.valueOf(cause.getMessage());
		for (Map.Entry<String, String> advice : BY_WORDS.entrySet()) {
			if (message.contains(advice.getKey())) {
				return advice.getValue();
			}
		}
		return null;
	}

}
