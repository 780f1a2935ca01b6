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

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import org.jspecify.annotations.Nullable;

/**
 * Scripts by Lettuce's asynchronous commands, on one connection that all calls share.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class LettuceScripts implements ScriptExecutor {

	private final LettuceSource source;

	private final Connector<LettuceLine> connector;

	private final ServerCheck check;

	private final RedisWakeUps wakeUps;

	LettuceScripts(LettuceSource source, ServerCheck check, RedisWakeUps wakeUps, ScheduledExecutorService thread) {
		this.source = source;
		this.check = check;
		this.wakeUps = wakeUps;
		this.connector = new Connector<>("locks", new Opening(), thread);
	}

	@Override
	public void begin() {
		this.connector.begin();
	}

	@Override
	public void run(ScriptCall call) {
		if (this.connector.isFirst()) {
			call.mayWait(LettuceDerivation.CONNECT_TIMEOUT);
		}
		this.source.inOrder(() -> this.connector.use((line) -> send(call, line),
				(reason) -> call.answer().completeExceptionally(new NotConnectedException(reason))));
	}

	@Override
	public void publish(byte[] channel, byte[] message) {
		this.connector.useIfAny((line) -> line.commands().publish(channel, message));
	}

	@Override
	public boolean isClustered() {
		return this.source.isClustered();
	}

	@Override
	public void close() {
		this.connector.close();
	}

	private void send(ScriptCall call, LettuceLine line) {
		send(call, line, false);
	}

	/* By its digest; by its text where Redis has said that it does not know it. */
	private void send(ScriptCall call, LettuceLine line, boolean text) {
		if (!call.send()) {
			call.unsend();
			call.answer().completeExceptionally(new NotConnectedException(new IllegalStateException("given up")));
			return;
		}
		long sentAt = System.nanoTime();
		ScriptOutputType type = call.script().answersList() ? ScriptOutputType.MULTI : ScriptOutputType.VALUE;
		RedisFuture<Object> reply = text
				? line.commands().eval(call.script().text(), type, call.keys(), call.arguments())
				: line.commands().evalsha(call.script().sha1(), type, call.keys(), call.arguments());
		call.carriedBy(new OnLine(line, reply, sentAt));
		reply.whenComplete((answer, failure) -> {
			if (!text && failure != null && StoreFailures.unwrap(failure) instanceof RedisNoScriptException) {
				line.answered();
				call.unsend();
				send(call, line, true);
			}
			else {
				complete(call, line, answer, failure);
			}
		});
	}

	private void complete(ScriptCall call, LettuceLine line, @Nullable Object answer, @Nullable Throwable failure) {
		Throwable cause = (failure != null) ? StoreFailures.unwrap(failure) : null;
		if (cause == null || cause instanceof RedisCommandExecutionException) {
			line.answered();
		}
		if (cause instanceof RedisCommandExecutionException error) {
			refused(line, error);
		}
		else if (cause != null && !isClustered() && StoreFailures.isRejection(cause)) {
			// It may be Lettuce that connects again, to where the primary was.
			this.connector.reopen(line, cause);
		}
		if (cause != null) {
			call.answer().completeExceptionally(cause);
		}
		else {
			ScriptAnswers.complete(call, answer);
		}
	}

	/* Who was made a replica would refuse everything for as long as it is one. */
	private void refused(LettuceLine line, RedisCommandExecutionException error) {
		String message = String.valueOf(error.getMessage());
		if (!isClustered() && StoreFailures.isOfReplica(message)) {
			NotPrimaryException reason = NotPrimaryException.ofReplica(message);
			this.connector.reopen(line, reason);
			this.wakeUps.reopen(reason);
		}
	}

	/* A call that was sent on a connection at some moment. */
	private final class OnLine implements ScriptCall.Carrier {

		private final LettuceLine line;

		private final RedisFuture<?> reply;

		private final long sentAt;

		OnLine(LettuceLine line, RedisFuture<?> reply, long sentAt) {
			this.line = line;
			this.reply = reply;
			this.sentAt = sentAt;
		}

		/*
		 * In a cluster the silence of one node says nothing about the connections to
		 * others, which go on.
		 */
		@Override
		public void distrust() {
			if (isClustered()) {
				LettuceScripts.this.source.closeSilent(this.sentAt);
			}
			else if (this.line.isSilentSince(this.sentAt)) {
				LettuceScripts.this.connector.reopen(this.line, new TimeoutException("Redis answered nothing in time"));
			}
		}

		@Override
		public void drop() {
			this.reply.cancel(true);
		}

	}

	/* The first one begins the wake-ups, which come behind it. */
	private final class Opening implements ConnectionOpening<LettuceLine> {

		private final LettuceLineOpening lines = new LettuceLineOpening(LettuceScripts.this.source,
				LettuceScripts.this.check.key(), (line, reason) -> LettuceScripts.this.connector.reopen(line, reason));

		@Override
		public LettuceLine open() throws Exception {
			LettuceScripts.this.wakeUps.begin();
			try {
				LettuceLine line = this.lines.open();
				LettuceScripts.this.check.begin((call) -> send(call, line));
				return line;
			}
			catch (NotPrimaryException ex) {
				LettuceScripts.this.wakeUps.reopen(ex);
				throw ex;
			}
		}

		@Override
		public void close(LettuceLine line) {
			this.lines.close(line);
		}

	}

}
