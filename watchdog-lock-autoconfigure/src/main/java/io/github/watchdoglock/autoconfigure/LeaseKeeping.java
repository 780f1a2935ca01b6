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

import java.util.function.Function;

import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseSurvey;
import io.github.watchdoglock.store.WakeUps;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The interfaces of the store that the engine needs. They form a single bean, because one
 * object may implement several of them.
 *
 * @param store the store of leases
 * @param inspector the store's operations for operators
 * @param survey the survey of all keys that are held
 * @param roles the survey of the roles' keys
 * @param wakeUps the hints of the store
 * @param place where leases are kept, for people to read
 */
record LeaseKeeping(LeaseStore store, LeaseInspector inspector, LeaseSurvey survey, LeaseSurvey roles, WakeUps wakeUps,
		String place) implements AopInfrastructureBean {

	/* Return one of the surveys. */
	static LeaseSurvey survey(ObjectProvider<LeaseKeeping> keeping, Function<LeaseKeeping, LeaseSurvey> survey) {
		LeaseKeeping present = keeping.getIfAvailable();
		return (present != null) ? survey.apply(present) : (cursor,
				limit) -> new LeaseSurvey.Answer.Off("no locks are kept, because watchdog-lock.enabled is false");
	}

}
