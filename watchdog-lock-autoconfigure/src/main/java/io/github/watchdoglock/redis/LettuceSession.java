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
import java.util.List;
import java.util.concurrent.TimeUnit;

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
	public Node node(String id) {
		if (this.commands instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster) {
			return new LettuceNode(cluster.getConnection(id));
		}
		return new LettuceNode(this.commands);
	}

	@Override
	public void close() {
		this.closing.run();
	}

	private static <T> T await(RedisFuture<T> reply) {
		return LettuceFutures.awaitOrCancel(reply, LettuceDerivation.CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
	}

	/**
	 * A server that is surveyed.
	 */
	private final class LettuceNode implements Node {

		private final RedisClusterAsyncCommands<byte[], byte[]> node;

		private LettuceNode(RedisClusterAsyncCommands<byte[], byte[]> node) {
			this.node = node;
		}

		@Override
		public Scanned scan(String cursor, int count, byte[] pattern) {
			KeyScanCursor<byte[]> scanned = await(
					this.node.scan(ScanCursor.of(cursor), ScanArgs.Builder.limit(count).match(pattern)));
			return new Scanned(scanned.isFinished() ? "0" : scanned.getCursor(), scanned.getKeys());
		}

		/*
		 * The first call sends the source, so that the server knows the script for the
		 * others even if its scripts were flushed.
		 */
		@Override
		public List<@Nullable String> find(List<byte[]> names) {
			List<RedisFuture<byte[]>> replies = new ArrayList<>(names.size());
			for (byte[] name : names) {
				replies.add(replies.isEmpty() ? byText(this.node, name)
						: this.node.evalsha(LockScript.FIND.sha1(), ScriptOutputType.VALUE, new byte[][] { name }));
			}
			List<@Nullable String> answers = new ArrayList<>(names.size());
			for (int i = 0; i < names.size(); i++) {
				answers.add(answer(replies.get(i), names.get(i)));
			}
			return answers;
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
				return ScriptAnswers.text(await(byText(LettuceSession.this.commands, name)));
			}
			catch (RedisCommandExecutionException ex) {
				if (NO_LOCK.stream().anyMatch(String.valueOf(ex.getMessage())::contains)) {
					return null;
				}
				throw ex;
			}
		}

		private RedisFuture<byte[]> byText(RedisClusterAsyncCommands<byte[], byte[]> where, byte[] name) {
			return where.eval(LockScript.FIND.text(), ScriptOutputType.VALUE, new byte[][] { name });
		}

	}

}
