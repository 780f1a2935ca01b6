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

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.handler.flush.FlushConsolidationHandler;
import org.jspecify.annotations.Nullable;

/**
 * The channels of a client, which one thread serves, and the time since when each has
 * been silent. A channel that has been silent for too long is closed, and Lettuce opens
 * it anew: in a cluster there is a channel to each node, and a firewall may have
 * forgotten one of them while the others work. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class LockChannels implements NettyCustomizer {

	/*
	 * Commands of this many callers are sent with one write. With 32 callers, this gave a
	 * seventh more locks than one write for each command, and a third more than one write
	 * for all of them, with which Redis waits for the callers, and then the callers for
	 * Redis.
	 */
	private static final int FLUSHED_TOGETHER = 4;

	private final NettyCustomizer application;

	private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();

	/** The thread that serves all channels. */
	private volatile @Nullable EventLoop loop;

	LockChannels(NettyCustomizer application) {
		this.application = application;
	}

	@Override
	public void afterBootstrapInitialized(Bootstrap bootstrap) {
		this.application.afterBootstrapInitialized(bootstrap);
	}

	@Override
	public void afterChannelInitialized(Channel channel) {
		this.application.afterChannelInitialized(channel);
		Listener listener = new Listener(channel);
		channel.pipeline().addFirst(new FlushConsolidationHandler(FLUSHED_TOGETHER, true), listener);
		this.listeners.add(listener);
		this.loop = channel.eventLoop();
		channel.closeFuture().addListener((closed) -> this.listeners.remove(listener));
	}

	/*
	 * If the I/O thread wrote at once, its command would overtake commands that other
	 * threads have queued for it.
	 */
	void inOrder(Runnable write) {
		EventLoop loop = this.loop;
		if (loop != null && loop.inEventLoop()) {
			loop.execute(write);
		}
		else {
			write.run();
		}
	}

	/*
	 * A command that was sent at that time got no answer in time. Its channel may have
	 * received it some moments later, so silence for three quarters of the time suffices.
	 */
	void close(long sentAt) {
		long now = System.nanoTime();
		for (Listener listener : this.listeners) {
			if (listener.waiting && now - listener.since >= (now - sentAt) / 4 * 3) {
				listener.channel.close();
			}
		}
	}

	private static final class Listener extends ChannelDuplexHandler {

		private final Channel channel;

		private volatile boolean waiting;

		/* When the first of the messages that wait for an answer was sent. */
		private volatile long since;

		Listener(Channel channel) {
			this.channel = channel;
		}

		@Override
		public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
			if (!this.waiting) {
				this.since = System.nanoTime();
				this.waiting = true;
			}
			context.write(message, promise);
		}

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			this.waiting = false;
			context.fireChannelRead(message);
		}

	}

}
