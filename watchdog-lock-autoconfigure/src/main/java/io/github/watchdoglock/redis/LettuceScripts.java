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

import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;

/**
 * Scripts by Lettuce's asynchronous commands, on one connection that all calls share.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class LettuceScripts implements ScriptExecutor {

	private final LettuceSource source;

	private final Connector<Line> connector;

	private final ServerCheck check;

	LettuceScripts(LettuceSource source, ServerCheck check, ScheduledExecutorService thread) {
		this.source = source;
		this.check = check;
		this.connector = new Connector<>("locks", new LineOpening(), thread);
	}

	@Override
	public void run(ScriptCall call) {
		this.source.inOrder(() -> this.connector.use((line) -> send(call, line),
				(reason) -> call.answer().completeExceptionally(new NotConnectedException(reason))));
	}

	@Override
	public boolean isClustered() {
		return this.source.isClustered();
	}

	@Override
	public void close() {
		this.connector.close();
	}

	private void send(ScriptCall call, Line line) {
		send(call, line, false);
	}

	/* By its digest; by its text where Redis has said that it does not know it. */
	private void send(ScriptCall call, Line line, boolean text) {
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
			if (!text && unwrap(failure) instanceof RedisNoScriptException) {
				line.answered();
				call.unsend();
				send(call, line, true);
			}
			else {
				complete(call, line, answer, failure);
			}
		});
	}

	private static void complete(ScriptCall call, Line line, @Nullable Object answer, @Nullable Throwable failure) {
		Throwable cause = unwrap(failure);
		if (cause == null || cause instanceof RedisCommandExecutionException) {
			line.answered();
		}
		if (cause != null) {
			call.answer().completeExceptionally(cause);
		}
		else {
			ScriptAnswers.complete(call, answer);
		}
	}

	private static @Nullable Throwable unwrap(@Nullable Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	/* A call that was sent on a connection at some moment. */
	private final class OnLine implements ScriptCall.Carrier {

		private final Line line;

		private final RedisFuture<?> reply;

		private final long sentAt;

		OnLine(Line line, RedisFuture<?> reply, long sentAt) {
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

	/* One connection and when it last answered. */
	private static final class Line {

		private final RedisConnection connection;

		private final RedisScriptingAsyncCommands<byte[], byte[]> commands;

		private volatile long lastAnswer = System.nanoTime();

		Line(RedisConnection connection, RedisScriptingAsyncCommands<byte[], byte[]> commands) {
			this.connection = connection;
			this.commands = commands;
		}

		RedisScriptingAsyncCommands<byte[], byte[]> commands() {
			return this.commands;
		}

		void answered() {
			this.lastAnswer = System.nanoTime();
		}

		boolean isSilentSince(long time) {
			return this.lastAnswer - time < 0;
		}

	}

	private final class LineOpening implements ConnectionOpening<Line> {

		@Override
		@SuppressWarnings("unchecked")
		public Line open() {
			RedisConnection connection = LettuceScripts.this.source.connect();
			RedisScriptingAsyncCommands<byte[], byte[]> commands = (RedisScriptingAsyncCommands<byte[], byte[]>) connection
				.getNativeConnection();
			for (LockScript script : LockScript.VERBS) {
				commands.scriptLoad(script.text());
			}
			Line line = new Line(connection, commands);
			LettuceScripts.this.check.begin((call) -> send(call, line));
			return line;
		}

		@Override
		public void close(Line line) {
			LettuceScripts.this.source.disconnect(line.connection);
		}

	}

}
