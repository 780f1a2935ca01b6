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
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.LeaseInspector.ForceAnswer;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import org.jspecify.annotations.Nullable;

/**
 * A command for a key, in the notation of contributing/protocol/cases.md.
 *
 * @param text verb, attempt and arguments
 * @param key the key
 * @param words the names of tokens
 */
public record ProtocolCommand(String text, LockKey key, ProtocolText words) {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	/* Run the command and return its answer, in the notation of the document. */
	public String run(LeaseStore store, LeaseInspector inspector) {
		return switch (this.text.split(" ", 2)[0]) {
			case "acquire" -> answer(store.acquire(acquire()), this::text);
			case "renew" -> answer(store.renew(List.of(renew())).get(0), this::text);
			case "release" -> answer(store.release(release()), ProtocolCommand::text);
			case "force" -> answer(inspector.force(this.key, token(), TIMEOUT), ProtocolCommand::text);
			case "find" -> answer(inspector.find(this.key, TIMEOUT), this::text);
			default -> throw new IllegalArgumentException(this.text);
		};
	}

	private static <T> String answer(CompletionStage<T> stage, Function<T, String> reader) {
		try {
			return reader.apply(stage.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join());
		}
		catch (CompletionException ex) {
			return "error";
		}
	}

	private AcquireCommand acquire() {
		String lease = argument("lease");
		String poll = argument("poll");
		String tokens = argument("tokens");
		return new AcquireCommand(this.key, attempt(), "holder", ProtocolText.duration((lease != null) ? lease : "30s"),
				(tokens != null) ? Integer.parseInt(tokens) : 1, has("lingering"),
				has("without a place") ? Duration.ZERO : ProtocolText.duration((poll != null) ? poll : "1s"),
				has("if idle"), TIMEOUT);
	}

	private RenewCommand renew() {
		String lease = argument("lease");
		return new RenewCommand(this.key, attempt(), ProtocolText.token(this.text.split(" ", -1)[2]),
				ProtocolText.duration((lease != null) ? lease : "30s"), has("with a block"), TIMEOUT);
	}

	private ReleaseCommand release() {
		String used = argument("used");
		String keep = argument("keep");
		String requeue = argument("requeue");
		return new ReleaseCommand(this.key, attempt(),
				(used != null) ? ProtocolText.token(used)
						: has("unknown") ? ReleaseCommand.UNKNOWN : ReleaseCommand.NONE,
				(keep != null) ? ProtocolText.duration(keep) : Duration.ZERO,
				(requeue != null) ? new ReleaseCommand.Requeue(AttemptId.parse(requeue), Duration.ofSeconds(1)) : null,
				TIMEOUT, has("after renewals") ? null : new ReleaseCommand.Grant("holder", Duration.ofSeconds(30)));
	}

	/* The token of a force command: the holder whose key is taken. */
	private long token() {
		String[] parts = this.text.split(" ", -1);
		return (parts.length > 1) ? ProtocolText.token(parts[1]) : LeaseInspector.ALL;
	}

	private AttemptId attempt() {
		return AttemptId.parse(this.text.split(" ", -1)[1]);
	}

	private @Nullable String argument(String name) {
		Matcher matcher = Pattern.compile(" " + name + " (\\S+)").matcher(this.text);
		return matcher.find() ? matcher.group(1) : null;
	}

	private boolean has(String word) {
		return this.text.contains(" " + word);
	}

	private String text(AcquireAnswer answer) {
		if (answer instanceof AcquireAnswer.Granted granted) {
			bind(granted.block());
			return "granted " + this.words.text(granted.block()) + (granted.contended() ? " +" : " -")
					+ other(granted.other());
		}
		if (answer instanceof AcquireAnswer.Busy busy) {
			return "busy " + ProtocolText.text(busy.remaining()) + (busy.placed() ? " +" : " -") + other(busy.other())
					+ " " + busy.holder();
		}
		return "ended";
	}

	private static String other(@Nullable Kind kind) {
		return (kind != null) ? kind.suffix() : "";
	}

	/* The kind of a state, like that of an attempt. */
	private static String kind(LockState found) {
		return switch (found.mode()) {
			case READ -> "/r";
			case PERMIT -> "/p" + found.permits().get(0);
			default -> "";
		};
	}

	private String text(RenewAnswer answer) {
		if (!(answer instanceof RenewAnswer.Renewed renewed)) {
			return "gone";
		}
		String word = renewed.contended() ? "contended" : "renewed";
		if (renewed.next() == null) {
			return word;
		}
		bind(renewed.next());
		return word + " " + this.words.text(renewed.next());
	}

	private static String text(ReleaseAnswer answer) {
		return (answer.ended() + " " + answer.next()).toLowerCase(Locale.ROOT);
	}

	private static String text(ForceAnswer answer) {
		return answer.held() ? Stream.concat(Stream.of("forced"), answer.owners().stream().map(AttemptId::toString))
			.collect(Collectors.joining(" ")) : "free";
	}

	private String text(List<LockState> states) {
		return states.isEmpty() ? "free" : states.stream().map(this::text).collect(Collectors.joining(", "));
	}

	private String text(LockState found) {
		return "held " + ((found.token() != 0) ? this.words.token(found.token()) : "0") + " "
				+ ProtocolText.text(found.remaining()) + " " + found.waiting() + kind(found) + " " + found.holder();
	}

	private void bind(TokenBlock block) {
		if (block.first() < ProtocolText.AHEAD) {
			this.words.bindNow(block.first());
		}
	}

}
