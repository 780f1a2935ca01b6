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

import org.springframework.aop.framework.AopInfrastructureBean;

/**
 * The bean that contains the engine. The engine itself is not a bean: it would be a
 * candidate for each interface that it implements, in addition to the beans that the
 * application should see.
 *
 * @param engine the engine
 */
record EngineBean(LockEngine engine) implements AutoCloseable, AopInfrastructureBean {

	@Override
	public void close() {
		this.engine.close();
	}

}
