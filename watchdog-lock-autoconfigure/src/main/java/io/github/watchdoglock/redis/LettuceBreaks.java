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

import java.net.SocketException;
import java.util.function.Consumer;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;

/**
 * Tells of the end of a connection. Who hears of it closes the connection: Lettuce would
 * connect it again without asking who answers there now.
 */
final class LettuceBreaks implements RedisConnectionStateListener {

	private final Consumer<Throwable> broken;

	private LettuceBreaks(Consumer<Throwable> broken) {
		this.broken = broken;
	}

	static void tell(StatefulConnection<?, ?> connection, Consumer<Throwable> broken) {
		connection.addListener(new LettuceBreaks(broken));
		if (!connection.isOpen()) {
			broken.accept(lost());
		}
	}

	@Override
	public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
		this.broken.accept(lost());
	}

	private static SocketException lost() {
		return new SocketException("the connection was lost");
	}

}
