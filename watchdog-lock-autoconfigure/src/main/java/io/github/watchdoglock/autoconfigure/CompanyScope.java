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

import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.engine.Companion;
import io.github.watchdoglock.engine.Company;
import io.github.watchdoglock.interceptor.WorkScope;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

/**
 * All who go along with callers go along with annotated methods too.
 *
 * @param company who they are; asked for with the first lock
 */
record CompanyScope(Supplier<Company> company) implements WorkScope {

	static CompanyScope of(ObjectProvider<Companion> companions) {
		return new CompanyScope(SingletonSupplier.of(() -> new Company(companions.orderedStream().toList())));
	}

	@Override
	public Runnable enter(LockHandle handle) {
		return isOfMock(handle) ? CompanyScope::doNothing : this.company.get().working(handle);
	}

	@Override
	public Runnable ask(Function<Object, @Nullable Object> context) {
		return this.company.get().within(context);
	}

	@Override
	public Map<Object, Object> context(LockHandle handle) {
		return isOfMock(handle) ? Map.of() : this.company.get().context(handle);
	}

	private static void doNothing() {
	}

	@SuppressWarnings("ConstantValue")
	private static boolean isOfMock(LockHandle handle) {
		return handle.key() == null;
	}

}
