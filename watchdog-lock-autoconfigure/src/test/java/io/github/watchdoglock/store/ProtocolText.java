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

package io.github.watchdoglock.store;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The notation of tokens and times in contributing/protocol/cases.md.
 */
public final class ProtocolText {

	/** The offset that the document abbreviates with a small number. */
	public static final long AHEAD = 8_000_000_000_000_000L;

	public static final long OLD = 1_000_000_000_000_000L;

	private static final long ENDLESS = Long.MAX_VALUE;

	private static final Pattern DURATION = Pattern.compile("(-?\\d+)(m?s)|endless");

	/** The block that began at the server's clock. */
	private @Nullable Long now;

	public void bindNow(long token) {
		this.now = token;
	}

	public static long token(String text) {
		return text.equals("old") ? OLD : AHEAD + Long.parseLong(text);
	}

	public String token(long token) {
		if (token > AHEAD - 1_000_000) {
			return Long.toString(token - AHEAD);
		}
		if (token == OLD) {
			return "old";
		}
		if (this.now == null) {
			return token + "?";
		}
		return (token == this.now) ? "now" : "now+" + (token - this.now);
	}

	public String text(TokenBlock block) {
		return token(block.first()) + ".." + token(block.last());
	}

	public boolean isNowWithin(long from, long to) {
		return this.now == null || (this.now >= from && this.now <= to);
	}

	/* Null means unlimited. */
	public static @Nullable Long millis(String text) {
		Long millis = millisOrMax(text);
		if (millis == null) {
			throw new IllegalArgumentException("'" + text + "' is no duration");
		}
		return (millis == ENDLESS) ? null : millis;
	}

	public static Duration duration(String text) {
		Long millis = millis(text);
		return (millis != null) ? Duration.ofMillis(millis) : Duration.ofDays(36_500);
	}

	public static String text(@Nullable Duration duration) {
		return (duration == null || duration.toDays() >= 36_500) ? "endless" : ofMillis(duration.toMillis());
	}

	private static String ofMillis(long millis) {
		return (millis % 1_000 == 0) ? millis / 1_000 + "s" : millis + "ms";
	}

	private static @Nullable Long millisOrMax(String text) {
		Matcher matcher = DURATION.matcher(text);
		if (!matcher.matches()) {
			return null;
		}
		if (matcher.group(1) == null) {
			return ENDLESS;
		}
		return Long.parseLong(matcher.group(1)) * (matcher.group(2).equals("s") ? 1_000 : 1);
	}

	/*
	 * Return the found string, with the expected times if the found ones differ from them
	 * by no more than the elapsed time.
	 */
	public static String near(String expected, String found, long elapsed) {
		String[] wanted = expected.split(" ", -1);
		String[] words = found.split(" ", -1);
		for (int i = 0; i < Math.min(wanted.length, words.length); i++) {
			String word = words[i].replaceFirst("[\\];,]+$", "");
			String end = words[i].substring(word.length());
			Long was = millisOrMax(word);
			Long should = millisOrMax(wanted[i].replaceFirst("[\\];,]+$", ""));
			if (was != null && should != null && Math.abs(was - should) <= elapsed) {
				words[i] = text((should == ENDLESS) ? null : Duration.ofMillis(should)) + end;
			}
		}
		return String.join(" ", words);
	}

}
