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

package io.github.watchdoglock.redis.survey;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisPipelineException;
import org.springframework.data.redis.connection.ReturnType;

/**
 * A look by Jedis, on a connection of the application's pool.
 */
final class JedisSession implements SurveySession, SurveySession.Node {

	private final RedisConnection connection;

	private final SurveyTerms terms;

	JedisSession(RedisConnection connection, SurveyTerms terms) {
		this.connection = connection;
		this.terms = terms;
		String problem = problem(connection);
		if (problem != null) {
			connection.close();
			throw new UnsupportedOperationException(problem);
		}
	}

	private static @Nullable String problem(RedisConnection connection) {
		if (connection instanceof RedisClusterConnection) {
			return "in a cluster the locks of all instances are listed by Lettuce alone";
		}
		if (!connection.getNativeConnection().getClass().getName().startsWith("redis.clients.jedis.")) {
			return "the locks of all instances are not listed over a connection factory whose configuration can't be read";
		}
		return null;
	}

	@Override
	public List<String> nodes() {
		return List.of("");
	}

	@Override
	public Node node(String id) {
		return this;
	}

	@Override
	public void close() {
		this.connection.close();
	}

	@Override
	@SuppressWarnings("unchecked")
	public Scanned scan(String cursor, int count) {
		Object reply = this.connection.execute("SCAN", bytes(cursor), bytes("MATCH"), this.terms.pattern(),
				bytes("COUNT"), bytes(Integer.toString(count)));
		if (!(reply instanceof List<?> parts) || parts.size() != 2) {
			throw new IllegalStateException("the answer to SCAN was " + reply);
		}
		return new Scanned(text((byte[]) parts.get(0)), (List<byte[]>) parts.get(1));
	}

	/* After the first one the server has the script, whoever has flushed it. */
	@Override
	public List<@Nullable String> find(List<byte[]> names) {
		this.connection.openPipeline();
		for (int i = 0; i < names.size(); i++) {
			if (i == 0) {
				byText(names.get(i));
			}
			else {
				this.connection.scriptingCommands().evalSha(this.terms.digest(), ReturnType.VALUE, 1, names.get(i));
			}
		}
		List<?> replies = replies();
		List<@Nullable String> answers = new ArrayList<>(names.size());
		for (int i = 0; i < names.size(); i++) {
			answers.add((replies.get(i) instanceof byte[] answer) ? text(answer) : again(names.get(i)));
		}
		return answers;
	}

	/* An error of one is in its place. */
	private List<?> replies() {
		try {
			return this.connection.closePipeline();
		}
		catch (RedisPipelineException ex) {
			return ex.getPipelineResult();
		}
	}

	private @Nullable String again(byte[] name) {
		try {
			byte[] answer = byText(name);
			return (answer != null) ? text(answer) : null;
		}
		catch (RuntimeException ex) {
			if (SurveyTerms.isOfNoLock(ex)) {
				return null;
			}
			throw ex;
		}
	}

	private byte @Nullable [] byText(byte[] name) {
		return this.connection.scriptingCommands().eval(this.terms.text().get(), ReturnType.VALUE, 1, name);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

}
