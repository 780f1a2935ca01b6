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

package io.github.watchdoglock.autoconfigure;

import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.redis.RedisLocks;
import org.crac.Context;
import org.crac.Resource;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopInfrastructureBean;

/**
 * Ends the locks of a process that is restored from a checkpoint, possibly several times.
 * It is notified directly, because Spring's lifecycle notifies no bean if the checkpoint
 * is made at the end of a refresh. A context that is only stopped and started keeps its
 * locks.
 *
 * @param engine the engine
 * @param redis the connections to Redis; null if locks are not kept there
 */
record CheckpointResource(LockEngine engine, @Nullable RedisLocks redis) implements Resource, AopInfrastructureBean {

	@Override
	public void beforeCheckpoint(Context<? extends Resource> context) {
		if (this.redis != null) {
			this.redis.suspend();
		}
	}

	/* In this order, so that no connection is opened for ids from before. */
	@Override
	public void afterRestore(Context<? extends Resource> context) {
		this.engine.restored();
		if (this.redis != null) {
			this.redis.resume();
		}
	}

}
