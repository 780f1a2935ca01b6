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

import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.EventLoopGroupProvider;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A connection factory of our own and what it runs on.
 *
 * @param factory the factory, started
 * @param resources what it runs on
 * @param eventLoops which the resources don't end themselves
 * @param channels the channels of all of its connections
 */
record LettuceClient(LettuceConnectionFactory factory, ClientResources resources, EventLoopGroupProvider eventLoops,
		LockChannels channels) {

}
