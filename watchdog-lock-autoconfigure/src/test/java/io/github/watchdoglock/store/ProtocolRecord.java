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
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A record in the notation of contributing/protocol/cases.md.
 *
 * @param flags state and waiters
 * @param rest the remaining lease in milliseconds, negative if it has expired, null if it
 * is unlimited
 * @param retention milliseconds
 * @param first the first token
 * @param last the greatest token
 * @param attempt the current or previous owner
 * @param label the label of the owner
 * @param holders the holders that share the key, if there are several
 * @param places the queue
 */
public record ProtocolRecord(String flags, @Nullable Long rest, long retention, long first, long last, String attempt,
		String label, List<Holder> holders, List<Place> places) {

	public static final long RETENTION = 120_000;

	/** The attempt of a record with several holders. */
	public static final String SEVERAL = "/";

	private static final String RESERVED = "(reserved)";

	private static final Pattern TEXT = Pattern.compile(
			"([olrkf][+-]) (\\S+) (\\S+)\\.\\.(\\S+) (\\S+?)(?: retention (\\S+?))?(?: '(.*?)')?((?: \\[[^]]*])*)((?:; .*)?)");

	private static final Pattern VALUE = Pattern
		.compile("2 ([olrkf][+-]) (\\d{13}) (\\d{16}) (\\d{16}) (\\S+) ([^\n]*)((?:\n\\d{13} \\d{13} \\S+)*)");

	public static ProtocolRecord parse(String text) {
		Matcher matcher = TEXT.matcher(text);
		if (!matcher.matches()) {
			throw new IllegalArgumentException("'" + text + "' is no record");
		}
		String retention = matcher.group(6);
		String label = matcher.group(7);
		List<Place> places = new ArrayList<>();
		for (String place : matcher.group(9).split("; ", -1)) {
			if (!place.isEmpty()) {
				places.add(Place.parse(place));
			}
		}
		return new ProtocolRecord(matcher.group(1), ProtocolText.millis(matcher.group(2)),
				(retention != null) ? ProtocolText.duration(retention).toMillis() : RETENTION,
				ProtocolText.token(matcher.group(3)), ProtocolText.token(matcher.group(4)), matcher.group(5),
				(label != null) ? label : usualLabel(matcher.group(1), matcher.group(5)),
				Holder.parse(matcher.group(8)), places);
	}

	/* Parse a value of Redis; null if the value is not a record. */
	public static @Nullable ProtocolRecord ofValue(String value, long pttl, long now) {
		Matcher matcher = VALUE.matcher(value);
		if (!matcher.matches()) {
			return null;
		}
		long retention = Long.parseLong(matcher.group(2));
		List<Place> places = new ArrayList<>();
		matcher.group(7).lines().filter((line) -> !line.isEmpty()).forEach((line) -> {
			String[] words = line.split(" ", 3);
			places.add(new Place(words[2], now - Long.parseLong(words[0]), Long.parseLong(words[1])));
		});
		String[] parts = matcher.group(6).split("\t", -1);
		return new ProtocolRecord(matcher.group(1), (pttl < 0) ? null : (Long) (pttl - retention), retention,
				Long.parseLong(matcher.group(4)), Long.parseLong(matcher.group(3)), matcher.group(5), parts[0],
				Stream.of(parts).skip(1).map((part) -> Holder.ofValue(part, now)).toList(), places);
	}

	public String value(long now) {
		StringBuilder value = new StringBuilder(String.format("2 %s %013d %016d %016d %s %s", this.flags,
				this.retention, this.last, this.first, this.attempt, this.label));
		for (Holder holder : this.holders) {
			value.append(String.format("\t%s %s %013d %016d %s", holder.attempt, holder.state, now + holder.left,
					holder.token, holder.label));
		}
		for (Place place : this.places) {
			value.append(String.format("\n%013d %013d %s", now - place.age, place.poll, place.attempt));
		}
		return value.toString();
	}

	public String text(ProtocolText words) {
		StringBuilder text = new StringBuilder(this.flags).append(' ')
			.append(ProtocolText.text((this.rest != null) ? Duration.ofMillis(this.rest) : null))
			.append(' ')
			.append(words.text(new TokenBlock(this.first, this.last)))
			.append(' ')
			.append(this.attempt);
		if (this.retention != RETENTION) {
			text.append(" retention ").append(ProtocolText.text(Duration.ofMillis(this.retention)));
		}
		if (!this.label.equals(usualLabel(this.flags, this.attempt))) {
			text.append(" '").append(this.label).append('\'');
		}
		this.holders.forEach((holder) -> text.append(' ').append(holder.text(words)));
		this.places.forEach((place) -> text.append("; ").append(place.text()));
		return text.toString();
	}

	private static String usualLabel(String flags, String attempt) {
		if (attempt.equals(SEVERAL)) {
			return "(shared)";
		}
		return flags.startsWith("r") ? RESERVED : "holder";
	}

	/**
	 * One of several holders of the key.
	 *
	 * @param attempt its attempt
	 * @param state o, r or k
	 * @param left milliseconds until its end
	 * @param token its token; zero in a reservation
	 * @param label its label
	 */
	public record Holder(String attempt, String state, long left, long token, String label) {

		private static final Pattern TEXT = Pattern.compile(" \\[(?:([rk]) )?(\\S+) (\\S+?)(?: (\\d+))?(?: '(.*?)')?]");

		private static List<Holder> parse(String text) {
			return TEXT.matcher(text).results().map((holder) -> {
				String state = (holder.group(1) != null) ? holder.group(1) : "o";
				String label = holder.group(5);
				return new Holder(holder.group(2), state, ProtocolText.duration(holder.group(3)).toMillis(),
						(holder.group(4) != null) ? ProtocolText.token(holder.group(4)) : 0,
						(label != null) ? label : usualLabel(state, ""));
			}).toList();
		}

		private static Holder ofValue(String text, long now) {
			String[] words = text.split(" ", 5);
			return new Holder(words[0], words[1], Long.parseLong(words[2]) - now, Long.parseLong(words[3]), words[4]);
		}

		private String text(ProtocolText words) {
			return "[" + (this.state.equals("o") ? "" : this.state + " ") + this.attempt + " "
					+ ProtocolText.text(Duration.ofMillis(this.left))
					+ ((this.token != 0) ? " " + words.token(this.token) : "")
					+ (this.label.equals(usualLabel(this.state, "")) ? "" : " '" + this.label + "'") + "]";
		}

	}

	/**
	 * A place in the queue.
	 *
	 * @param attempt its attempt
	 * @param age milliseconds since it was seen
	 * @param poll milliseconds
	 */
	public record Place(String attempt, long age, long poll) {

		private static final long POLL = 1_000;

		private static Place parse(String text) {
			String[] words = text.split(" ", -1);
			return new Place(words[0], ProtocolText.duration(words[1]).toMillis(),
					(words.length > 2) ? ProtocolText.duration(words[3]).toMillis() : POLL);
		}

		private String text() {
			return this.attempt + " " + ProtocolText.text(Duration.ofMillis(this.age))
					+ ((this.poll != POLL) ? " poll " + ProtocolText.text(Duration.ofMillis(this.poll)) : "");
		}

	}

}
