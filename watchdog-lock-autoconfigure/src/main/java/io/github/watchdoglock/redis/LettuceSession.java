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

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.redis.connection.ConnectionBackOff;
import io.github.watchdoglock.redis.survey.SurveySession;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.masterreplica.StatefulRedisMasterReplicaConnection;
import org.jspecify.annotations.Nullable;

/**
 * A survey session with Lettuce: the scripts of a batch are all sent at once, and in a
 * cluster each primary is asked separately.
 */
final class LettuceSession implements SurveySession {

	/*
	 * The script's error for a key that is not a lock, and Redis' error for a key that is
	 * not a string.
	 */
	private static final List<String> NO_LOCK = List.of("no lock, delete it", "WRONGTYPE");

	private final RedisClusterAsyncCommands<byte[], byte[]> commands;

	private final Runnable closing;

	LettuceSession(RedisClusterAsyncCommands<byte[], byte[]> commands, Runnable closing) {
		this.commands = commands;
		this.closing = closing;
		// A cursor belongs to one server, and the cursors of the next replica differ.
		if (ScriptConnection.stateful(commands) instanceof StatefulRedisMasterReplicaConnection<?, ?> several) {
			several.setReadFrom(ReadFrom.UPSTREAM);
		}
	}

	@Override
	public List<String> nodes() {
		if (ScriptConnection.stateful(this.commands) instanceof StatefulRedisClusterConnection<?, ?> cluster) {
			return cluster.getPartitions()
				.stream()
				.filter((node) -> node.getRole().isUpstream() && !node.hasNoSlots())
				.map(RedisClusterNode::getNodeId)
				.sorted()
				.toList();
		}
		return List.of("");
	}

	@Override
	public KeyScanCursor<byte[]> scan(String node, String cursor, int count, byte[] pattern) {
		return await(commands(node).scan(ScanCursor.of(cursor), ScanArgs.Builder.limit(count).match(pattern)));
	}

	/*
	 * The first call sends the source, so that the server knows the script for the others
	 * even if its scripts were flushed.
	 */
	@Override
	public Map<LockKey, List<LockState>> find(String node, Map<LockKey, byte[]> names) {
		RedisClusterAsyncCommands<byte[], byte[]> server = commands(node);
		List<RedisFuture<byte[]>> replies = new ArrayList<>(names.size());
		names.values()
			.forEach((name) -> replies.add(replies.isEmpty() ? byText(server, name)
					: server.evalsha(LockScript.FIND.sha1(), ScriptOutputType.VALUE, new byte[][] { name })));
		Iterator<RedisFuture<byte[]>> next = replies.iterator();
		Map<LockKey, List<LockState>> found = new LinkedHashMap<>();
		names.forEach((key, name) -> {
			String answer = answer(next.next(), name);
			if (answer != null) {
				found.put(key, ScriptAnswers.found(key, List.of(answer)));
			}
		});
		return found;
	}

	private RedisClusterAsyncCommands<byte[], byte[]> commands(String node) {
		return (this.commands instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster)
				? cluster.getConnection(node) : this.commands;
	}

	private @Nullable String answer(RedisFuture<byte[]> reply, byte[] name) {
		try {
			return ScriptAnswers.text(await(reply));
		}
		catch (RedisCommandExecutionException ex) {
			return again(name);
		}
	}

	/* The slot may have moved to another server, which Lettuce finds. */
	private @Nullable String again(byte[] name) {
		try {
			return ScriptAnswers.text(await(byText(this.commands, name)));
		}
		catch (RedisCommandExecutionException ex) {
			if (NO_LOCK.stream().anyMatch(String.valueOf(ex.getMessage())::contains)) {
				return null;
			}
			throw ex;
		}
	}

	private static RedisFuture<byte[]> byText(RedisClusterAsyncCommands<byte[], byte[]> where, byte[] name) {
		return where.eval(LockScript.FIND.text(), ScriptOutputType.VALUE, new byte[][] { name });
	}

	private static <T> T await(RedisFuture<T> reply) {
		return LettuceFutures.awaitOrCancel(reply, ConnectionBackOff.CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
	}

	@Override
	public void close() {
		this.closing.run();
	}

}
