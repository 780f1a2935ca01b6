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

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Recognizes commands of locks by their words, as they are sent.
 */
public final class ScriptWords {

	private ScriptWords() {
	}

	/**
	 * Return a matcher for the commands of one verb, by the digest of its script or its
	 * source.
	 * @param verb acquire, renew, release, find or force
	 * @return matches only commands of this verb
	 */
	public static Predicate<List<String>> of(String verb) {
		LockScript script = LockScript.valueOf(verb.toUpperCase(Locale.ROOT));
		String text = new String(script.text(), StandardCharsets.UTF_8);
		return (words) -> words.size() > 1 && (words.get(1).equals(script.sha1()) || words.get(1).equals(text))
				&& words.get(0).toUpperCase(Locale.ROOT).startsWith("EVAL");
	}

}
