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

import java.util.Iterator;
import java.util.List;

import io.github.watchdoglock.store.RenewAnswer;
import io.github.watchdoglock.store.TokenBlock;

/**
 * The answers to renewals that were sent together, one after the other: a letter for
 * each, and texts for those that need one. The comment that opens the script says what it
 * means.
 */
final class RenewalAnswers {

	/* They never change, and there are many. */
	private static final RenewAnswer RENEWED = new RenewAnswer.Renewed(false, null);

	private static final RenewAnswer CONTENDED = new RenewAnswer.Renewed(true, null);

	private static final RenewAnswer GONE = new RenewAnswer.Gone();

	private final String letters;

	private final Iterator<String> texts;

	private int read;

	private RenewalAnswers(List<String> answer) {
		this.letters = answer.get(0);
		this.texts = answer.subList(1, answer.size()).iterator();
	}

	/* Throws unless there are so many. */
	static RenewalAnswers of(List<String> answer, int count) {
		if (answer.isEmpty() || answer.get(0).length() != count) {
			throw new IllegalStateException("the answer to " + count + " renewals was '" + answer + "'");
		}
		return new RenewalAnswers(answer);
	}

	/* Throws what the server said of this one, or that it makes no sense. */
	RenewAnswer next(boolean nextBlock) {
		char letter = this.letters.charAt(this.read++);
		return switch (letter) {
			case 'r' -> nextBlock ? new RenewAnswer.Renewed(false, block()) : RENEWED;
			case 'c' -> nextBlock ? new RenewAnswer.Renewed(true, block()) : CONTENDED;
			case 'g' -> GONE;
			case 'e' -> throw new ServerErrorException(this.texts.next());
			default -> throw new IllegalStateException("the answer to a renewal was '" + letter + "'");
		};
	}

	private TokenBlock block() {
		return TokenBlock.startingAt(Long.parseLong(this.texts.next()));
	}

}
