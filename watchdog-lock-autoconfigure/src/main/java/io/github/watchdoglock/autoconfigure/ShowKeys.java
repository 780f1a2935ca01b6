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

package io.github.watchdoglock.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import org.springframework.util.function.ThrowingSupplier;

/**
 * How ids of locks are shown in strings.
 */
enum ShowKeys {

	/**
	 * Show the id.
	 */
	ALWAYS,

	/**
	 * Show the beginning of its SHA-256 hash, which is the same for the same id
	 * everywhere.
	 */
	HASHED,

	/**
	 * Do not show the id.
	 */
	NEVER;

	/* 48 bits: enough to distinguish the ids that are in use at one time. */
	private static final int DIGITS = 12;

	@Nullable UnaryOperator<String> display() {
		return switch (this) {
			case ALWAYS -> null;
			case HASHED -> ShowKeys::hash;
			case NEVER -> (id) -> "******";
		};
	}

	private static String hash(String id) {
		MessageDigest digest = ThrowingSupplier.of(() -> MessageDigest.getInstance("SHA-256")).get();
		return "#" + HexFormat.of().formatHex(digest.digest(id.getBytes(StandardCharsets.UTF_8))).substring(0, DIGITS);
	}

}
