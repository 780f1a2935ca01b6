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
package io.github.watchdoglock.kotlin

import io.github.watchdoglock.LockNotAcquiredException
import io.github.watchdoglock.OnContention
import io.github.watchdoglock.OnLoss
import io.github.watchdoglock.annotation.DistributedLock
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow

/**
 * Work as a Kotlin user writes it.
 */
open class Work {

	@DistributedLock("coroutines")
	open suspend fun suspending(block: suspend () -> String): String = block()

	@DistributedLock(name = "coroutines", key = "#id", waitTime = "20s")
	open suspend fun waiting(id: String, block: suspend () -> Unit) {
		block()
	}

	@DistributedLock("coroutines")
	open fun flowing(count: Int, each: () -> Unit): Flow<Int> = flow {
		for (i in 1..count) {
			each()
			emit(i)
		}
	}

	@DistributedLock("coroutines")
	open suspend fun suspendingFlow(each: () -> Unit): Flow<String> = flow {
		each()
		emit("a")
		each()
		emit("b")
	}

	@DistributedLock("coroutines")
	open fun deferred(finish: CompletableDeferred<String>): Deferred<String> = finish

	@DistributedLock(name = "coroutines", onContention = OnContention.SKIP)
	open suspend fun skippedText(): String? = "run"

	@DistributedLock(name = "coroutines", onContention = OnContention.SKIP)
	open suspend fun skippedList(): List<String> = listOf("run")

	@DistributedLock(name = "coroutines", onContention = OnContention.SKIP)
	open suspend fun skippedUnit() {
		error("run")
	}

	@DistributedLock(name = "coroutines", onContention = OnContention.SKIP)
	open fun skippedFlow(): Flow<String> = flow { emit("run") }

	@DistributedLock(name = "coroutines", fallback = "instead")
	@Suppress("UNUSED_PARAMETER")
	open suspend fun fallen(id: String): String = "run"

	private suspend fun instead(id: String, cause: LockNotAcquiredException): String {
		kotlinx.coroutines.yield()
		return "fallback for $id: ${cause.key}"
	}

	@DistributedLock(name = "coroutines", onLoss = OnLoss.INTERRUPT)
	open suspend fun interrupted(): String = awaitCancellation()

	@DistributedLock(name = "coroutines", onLoss = OnLoss.FAIL)
	open suspend fun failing(finish: CompletableDeferred<String>): String = finish.await()

}

open class NonNull {

	@DistributedLock(onContention = OnContention.SKIP)
	open fun work(): String = "run"

}

open class SuspendingNonNull {

	@DistributedLock(onContention = OnContention.SKIP)
	open suspend fun work(): String = "run"

}

open class Primitive {

	@DistributedLock(onContention = OnContention.SKIP)
	open fun work(): Int = 1

}

open class SuspendingPrimitive {

	@DistributedLock(onContention = OnContention.SKIP)
	open suspend fun work(): Int = 1

}

open class FencedSuspending {

	@DistributedLock(fenced = true)
	open suspend fun work(): String = "run"

}

open class FencedFlow {

	@DistributedLock(fenced = true)
	open fun work(): Flow<String> = flow { emit("run") }

}

open class SuspendingDeferred {

	@DistributedLock
	open suspend fun work(): Deferred<String> = CompletableDeferred("run")

}

open class SuspendingList {

	@DistributedLock
	open suspend fun work(): List<Flow<String>> = listOf()

}

open class Lists {

	@DistributedLock
	open fun work(): List<Deferred<String>> = listOf()

}
