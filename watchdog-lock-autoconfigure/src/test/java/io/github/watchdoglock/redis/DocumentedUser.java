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

package io.github.watchdoglock.redis;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.util.function.ThrowingSupplier;

/**
 * A user that has exactly the permissions that docs/operations/redis.md names.
 */
public final class DocumentedUser {

	private static final Path PAGE = Path.of("../docs/operations/redis.md");

	private static final Pattern LINE = Pattern.compile("^ACL SETUSER <user> (.*)$", Pattern.MULTILINE);

	/** The user name. */
	public static final String NAME = "documented";

	private DocumentedUser() {
	}

	/**
	 * Return the documented permissions.
	 * @return rules in the syntax of ACL SETUSER
	 */
	public static String rules() {
		Matcher line = LINE.matcher(ThrowingSupplier.of(() -> Files.readString(PAGE)).get());
		if (!line.find()) {
			throw new AssertionError("docs/operations/redis.md names no permissions");
		}
		return line.group(1);
	}

}
