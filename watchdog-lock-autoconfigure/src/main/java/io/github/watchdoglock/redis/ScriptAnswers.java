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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.HolderState;
import io.github.watchdoglock.store.LeaseInspector.ForceAnswer;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer.Ended;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer.Next;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.TokenBlock;
import io.lettuce.core.RedisCommandExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The answers of scripts as values. The comment at the beginning of each script says what
 * its answer means.
 */
final class ScriptAnswers {

	/* Shared, because they never change and there are many. */
	private static final RenewAnswer RENEWED = new RenewAnswer.Renewed(false, null);

	private static final RenewAnswer CONTENDED = new RenewAnswer.Renewed(true, null);

	private static final RenewAnswer GONE = new RenewAnswer.Gone();

	private static final ReleaseAnswer RELEASED = new ReleaseAnswer(Ended.LEASE, Next.NOBODY);

	/*
	 * For an entry without an end, which is not one of ours: the longest possible lease.
	 */
	private static final Duration WITHOUT_END = Duration.ofDays(36_500);

	private ScriptAnswers() {
	}

	/*
	 * Convert the reply of a driver. Drivers return null inside a transaction or
	 * pipeline, in which the script may run later.
	 */
	static List<String> texts(@Nullable Object reply) {
		if (reply instanceof List<?> parts) {
			List<String> texts = new ArrayList<>(parts.size());
			parts.forEach((part) -> texts.add(text(part)));
			return texts;
		}
		if (reply instanceof byte[] text) {
			return List.of(text(text));
		}
		throw new IllegalStateException("the answer was " + text(reply));
	}

	/* The last word may have spaces. */
	static AcquireAnswer acquired(List<String> answer) {
		String[] words = answer.get(0).split(" ", 4);
		return switch (words[0]) {
			case "granted" ->
				new AcquireAnswer.Granted(new TokenBlock(Long.parseLong(words[1]), Long.parseLong(words[2])),
						isSet(words[3]), other(words[3]));
			case "busy" -> new AcquireAnswer.Busy(words[3], duration(words[1]), isSet(words[2]), other(words[2]));
			case "ended" -> new AcquireAnswer.Ended();
			default -> throw unexpected(answer);
		};
	}

	/* Throws unless there are as many answers as renewals. */
	static Batch renewed(List<String> answer, int count) {
		if (answer.isEmpty() || answer.get(0).length() != count) {
			throw new IllegalStateException("the answer to " + count + " renewals was '" + answer + "'");
		}
		return new Batch(answer);
	}

	static ReleaseAnswer released(List<String> answer) {
		if (answer.get(0).equals("lease nobody")) {
			return RELEASED;
		}
		String[] words = answer.get(0).split(" ", 2);
		return new ReleaseAnswer(Ended.valueOf(words[0].toUpperCase(Locale.ROOT)),
				Next.valueOf(words[1].toUpperCase(Locale.ROOT)));
	}

	/* There is a line for each holder of the key. */
	static List<LockState> found(LockKey key, List<String> answer) {
		if (answer.get(0).equals("free")) {
			return List.of();
		}
		List<LockState> states = new ArrayList<>();
		for (String line : answer.get(0).split("\n", -1)) {
			String[] words = line.split(" ", 5);
			if (!words[0].equals("held")) {
				throw unexpected(answer);
			}
			int slash = words[3].indexOf('/');
			int end = (slash < 0) ? words[3].length() : slash;
			states.add(HolderState.of(key, words[4], Long.parseLong(words[1]), duration(words[2]),
					Integer.parseInt(words[3], 0, end, 10), kind(words[3].substring(end))));
		}
		return states;
	}

	static ForceAnswer forced(List<String> answer) {
		String[] words = answer.get(0).split(" ", 0);
		return switch (words[0]) {
			case "forced" -> new ForceAnswer(true, attempts(Arrays.asList(words).subList(1, words.length)));
			case "free" -> ForceAnswer.FREE;
			default -> throw unexpected(answer);
		};
	}

	/* Skips entries that this library has not written. */
	private static List<AttemptId> attempts(List<String> texts) {
		List<AttemptId> attempts = new ArrayList<>();
		for (String text : texts) {
			try {
				attempts.add(AttemptId.parse(text));
			}
			catch (IllegalArgumentException ex) {
				// No instance waits for this notification.
			}
		}
		return attempts;
	}

	private static boolean isSet(String flag) {
		return flag.charAt(0) == '+';
	}

	/* The kind that follows a flag. */
	private static @Nullable Kind other(String flag) {
		Kind other = kind(flag.substring(1));
		return other.isShared() ? other : null;
	}

	/*
	 * An unknown suffix was written by another program or by a later version, and is read
	 * as exclusive.
	 */
	private static Kind kind(String suffix) {
		try {
			return Kind.parse(suffix);
		}
		catch (IllegalArgumentException ex) {
			return Kind.EXCLUSIVE;
		}
	}

	private static Duration duration(String millis) {
		long length = Long.parseLong(millis);
		return (length < 0) ? WITHOUT_END : Duration.ofMillis(length);
	}

	static String text(@Nullable Object part) {
		return (part instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(part);
	}

	private static IllegalStateException unexpected(Object answer) {
		return new IllegalStateException("the answer was '" + answer + "'");
	}

	/**
	 * The answers to renewals that were sent together, in their order: a letter for each,
	 * and strings for those that need one. Not thread-safe.
	 */
	static final class Batch {

		private final String letters;

		private final Iterator<String> texts;

		private int read;

		private Batch(List<String> answer) {
			this.letters = answer.get(0);
			this.texts = answer.subList(1, answer.size()).iterator();
		}

		/*
		 * Throws the server's error about this renewal, or another exception if the
		 * answer makes no sense.
		 */
		RenewAnswer next(RenewCommand command) {
			char letter = this.letters.charAt(this.read++);
			return switch (letter) {
				case 'r' -> command.nextBlock() ? new RenewAnswer.Renewed(false, block(command)) : RENEWED;
				case 'c' -> command.nextBlock() ? new RenewAnswer.Renewed(true, block(command)) : CONTENDED;
				case 'g' -> GONE;
				case 'e' -> throw new RedisCommandExecutionException(this.texts.next());
				default -> throw new IllegalStateException("the answer to a renewal was '" + letter + "'");
			};
		}

		private TokenBlock block(RenewCommand command) {
			return TokenBlock.startingAt(Long.parseLong(this.texts.next()), command.attempt().kind(), TokenBlock.SIZE);
		}

	}

}
