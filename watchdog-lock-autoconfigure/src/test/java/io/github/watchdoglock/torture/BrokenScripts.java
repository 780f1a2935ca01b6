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

package io.github.watchdoglock.torture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.github.watchdoglock.redis.RedisLocks;

/**
 * Scripts with seeded bugs that precede the correct ones on the class path: each lacks
 * one rule of the record.
 */
final class BrokenScripts {

	private BrokenScripts() {
	}

	private static List<Change> of(Variant variant) {
		return switch (variant) {
			case NO_QUEUE_AFTER_EXPIRY ->
				List.of(new Change("acquire", "local next, others = next_place(places, millis, to, attempt)",
						"local next, others = nil, places"));
			case OWN_RETENTION -> List.of(new Change("acquire", "local retention = tonumber(sub(value, 6, 18))",
					"local retention = tonumber(ARGV[3])"));
			case NO_CLOCK -> List.of(
					new Change("acquire", "if first <= last then", "first = '0000000000000001'\nif first <= last then"),
					new Change("renew", "local first = math.max(last + 1, time[1] * 1000000 + time[2])",
							"local first = last + 1"));
			case WRITER_PASSES_READERS ->
				List.of(new Change("holders", "if first and (kind_of(first.attempt) ~= kind or #here >= most) then",
						"if first and kind ~= 'w' and (kind_of(first.attempt) ~= kind or #here >= most) then"));
			case PERMIT_NEVER_FREED -> List.of(new Change("holders", "and holders[i].stop > millis then",
					"and (holders[i].stop > millis or kind_of(holders[i].attempt) == 'p') then"));
			default -> List.of();
		};
	}

	/*
	 * Write the scripts to a folder that is the first on the class path of an instance.
	 */
	static Path write(Variant variant, Path folder) throws IOException {
		String where = RedisLocks.class.getPackageName().replace('.', '/');
		for (Change change : of(variant)) {
			Path file = folder.resolve(where).resolve(change.script + ".lua");
			Files.createDirectories(file.getParent());
			try (InputStream right = RedisLocks.class.getResourceAsStream(change.script + ".lua")) {
				Files.writeString(file, change.apply(new String(right.readAllBytes(), StandardCharsets.UTF_8)));
			}
		}
		return folder;
	}

	private record Change(String script, String right, String wrong) {

		String apply(String text) {
			if (text.indexOf(this.right) < 0 || text.indexOf(this.right) != text.lastIndexOf(this.right)) {
				throw new IllegalStateException("'" + this.script + "' must have this once: " + this.right);
			}
			return text.replace(this.right, this.wrong);
		}

	}

}
