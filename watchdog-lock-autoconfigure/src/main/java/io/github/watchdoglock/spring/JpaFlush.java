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

package io.github.watchdoglock.spring;

import java.util.stream.Stream;

import jakarta.persistence.FlushModeType;

import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The flush mode of JPA. A class of its own, because JPA may be absent.
 */
final class JpaFlush {

	private JpaFlush() {
	}

	/* Other managers have released their entity managers before the check. */
	static boolean flushes(ConfigurableTransactionManager manager) {
		return manager instanceof JpaTransactionManager;
	}

	/*
	 * Whether all entity managers in the thread's transactions flush by themselves.
	 * Hibernate reports its manual mode as that of a flush at the commit.
	 */
	static boolean isAutomatic() {
		return TransactionSynchronizationManager.getResourceMap()
			.values()
			.stream()
			.flatMap((resource) -> (resource instanceof EntityManagerHolder holder)
					? Stream.of(holder.getEntityManager()) : Stream.empty())
			.allMatch((manager) -> !manager.isJoinedToTransaction() || manager.getFlushMode() == FlushModeType.AUTO);
	}

}
