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

package io.github.watchdoglock.topology.suite;

import io.github.watchdoglock.redis.RedisContract;
import io.github.watchdoglock.redis.RedisLocks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The contract of stores, in every topology with every driver.
 */
@Tag("topologies")
@ExtendWith(Tally.class)
@ParameterizedClass
@MethodSource("io.github.watchdoglock.topology.suite.Way#all")
@SuppressWarnings("NullAway.Init")
class TopologyContractIT extends RedisContract {

	private static Deployment deployment;

	private static ConfigurableApplicationContext application;

	private static RedisLocks locks;

	@Parameter
	Way way;

	@BeforeParameterizedClassInvocation
	static void start(Way way) {
		deployment = way.topology().deploy();
		application = SuiteApplication.connected(deployment.properties(), way.driver());
		locks = application.getBean(RedisLocks.class);
	}

	@AfterParameterizedClassInvocation
	static void stop() throws Exception {
		application.close();
		deployment.close();
	}

	@Override
	protected RedisLocks locks() {
		return locks;
	}

	@Override
	protected StringRedisTemplate redis() {
		return new StringRedisTemplate(deployment.outside());
	}

	/* Depends on whether PUBLISH counts subscribers of one server only. */
	@Override
	protected int pollsOfUnheardPlaces() {
		return (this.way.topology() == Topology.CLUSTER || this.way.topology() == Topology.READ_FROM_REPLICA) ? 3 : 2;
	}

	@Override
	protected boolean isHeard(String channel) {
		return deployment.isHeard(channel);
	}

}
