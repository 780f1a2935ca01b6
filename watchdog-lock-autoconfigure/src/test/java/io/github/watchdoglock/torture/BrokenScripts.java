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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.redis.RedisLocks;

/**
 * Scripts with seeded bugs that precede the correct ones on the class path: each lacks
 * one rule of the record.
 */
final class BrokenScripts {

	private static final List<Change> WITHOUT_CLOCK = List.of(
			new Change("acquire", "if first <= last then", "first = '0000000000000001'\nif first <= last then"),
			new Change("renew", "local first = math.max(last + 1, time[1] * 1000000 + time[2])",
					"local first = last + 1"));

	private BrokenScripts() {
	}

	private static List<Change> of(Variant variant) {
		return switch (variant) {
			case NO_OWNER_CHECK ->
				List.of(new Change("release", "local own = version == 50 and find(value, attempt, 54, true) == 54 "
						+ "and string.byte(value, 54 + #attempt) == 32", "local own = version == 50"));
			case NEVER_ENDED -> List.of(new Change("acquire",
					"if own and (state == 'k' or state == 'f' or (left == 0 and state ~= 'r')) then", "if false then"));
			case NOT_LENGTHENED -> List.of(new Change("acquire", "if ttl < lasting then", "if false then"));
			case LATE_RENEWAL -> List
				.of(new Change("renew", "byte(value, 3) == 108)", "byte(value, 3) == 108 or byte(value, 3) == 102)"));
			case NO_QUEUE_AFTER_EXPIRY ->
				List.of(new Change("acquire", "local next, others = next_place(places, millis, to, attempt)",
						"local next, others = nil, places"));
			case OWN_RETENTION -> List.of(new Change("acquire", "local retention = tonumber(sub(value, 6, 18))",
					"local retention = tonumber(ARGV[3])"));
			case NO_CLOCK -> WITHOUT_CLOCK;
			case USED_TOKENS_RETURNED -> List.of(WITHOUT_CLOCK.get(0), WITHOUT_CLOCK.get(1), new Change("release",
					"-- Most releases return here", "ARGV[2] = string.rep('0', 16)\n-- Most releases return here"));
			case READER_COUNTED_TWICE -> List.of(
					new Change("acquire", "and not (own and left ~= 0 and state ~= 'r') then", "then"),
					new Change("acquire-shared", "others_here(holders, mine, millis), read_places",
							"others_here(holders, mine and (mine.state == 'r' or kind_of(attempt) ~= 'r') and mine, "
									+ "millis), read_places"),
					new Change("acquire-shared", "if lives and mine.state ~= 'r' then",
							"local before = #here\nif lives and mine.state ~= 'r' and kind_of(attempt) ~= 'r' then"),
					new Change("acquire-shared", "local granted = holder_of(here, attempt)",
							"local granted = holder_of({ unpack(here, before + 1) }, attempt)"));
			case WRITER_PASSES_READERS ->
				List.of(new Change("holders", "if first and (kind_of(first.attempt) ~= kind or #here >= most) then",
						"if first and kind ~= 'w' and (kind_of(first.attempt) ~= kind or #here >= most) then"));
			case PERMIT_NEVER_FREED -> List.of(new Change("holders", "and holders[i].stop > millis then",
					"and (holders[i].stop > millis or kind_of(holders[i].attempt) == 'p') then"));
			case ENDS_OF_ALL_RENEWED -> List.of(new Change("renew", "if lasts > stop then", """
					for each in string.gmatch(holders, '\t%S+ %l ()%d') do
					  call('SETRANGE', key, string.format('%d', each - 1), string.format('%013.0f', now + length))
					end
					if false then"""));
			case TOKEN_BELOW_ANOTHERS_RETURNED -> {
				List<Change> changes = new ArrayList<>(WITHOUT_CLOCK);
				changes.add(new Change("acquire-shared", "math.max(last + 1, now[1] * 1000000 + now[2])", "last + 1"));
				changes.add(new Change("release-shared",
						"and ARGV[2] < mine.token and mine.token == last then\n    last = digits(last - 1)",
						"and ARGV[2] < mine.token then\n    last = digits(mine.token - 1)"));
				yield changes;
			}
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
			if (!Files.exists(file)) {
				Files.createDirectories(file.getParent());
				try (InputStream right = RedisLocks.class.getResourceAsStream(change.script + ".lua")) {
					Files.write(file, right.readAllBytes());
				}
			}
			Files.writeString(file, change.apply(Files.readString(file)));
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
