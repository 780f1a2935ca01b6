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

import io.github.watchdoglock.LockHandle
import io.github.watchdoglock.LockKey
import io.github.watchdoglock.LockLostException
import io.github.watchdoglock.LockNotAcquiredException
import io.github.watchdoglock.LockRequest
import io.github.watchdoglock.LockService
import io.github.watchdoglock.autoconfigure.WatchdogLockAdviceAutoConfiguration
import io.github.watchdoglock.autoconfigure.WatchdogLockAutoConfiguration
import io.github.watchdoglock.LockConfigurationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.assertj.core.api.Assertions.assertThatIllegalStateException
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.test.context.runner.ApplicationContextRunner
import org.springframework.boot.test.util.TestPropertyValues
import org.springframework.context.annotation.AnnotationConfigApplicationContext
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import java.util.function.Supplier

/**
 * Tests of locks around suspending functions and flows.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CoroutineTests {

	private val context = AnnotationConfigApplicationContext()

	private val locks by lazy { context.getBean(LockService::class.java) }

	private val work by lazy { context.getBean(Work::class.java) }

	private val contexts = ApplicationContextRunner()
		.withConfiguration(
			AutoConfigurations.of(
				WatchdogLockAutoConfiguration::class.java,
				WatchdogLockAdviceAutoConfiguration::class.java,
			),
		).withPropertyValues("watchdog-lock.store=local", "watchdog-lock.wait-time=0s")

	@BeforeAll
	fun start() {
		TestPropertyValues.of("watchdog-lock.store=local", "watchdog-lock.wait-time=0s").applyTo(context)
		context.register(
			WatchdogLockAutoConfiguration::class.java,
			WatchdogLockAdviceAutoConfiguration::class.java,
			Work::class.java,
		)
		context.refresh()
	}

	@AfterAll
	fun stop() = context.close()

	@AfterEach
	fun nothingIsLeft() {
		await().until { !isHeld() }
	}

	@Test
	fun lockIsHeldUntilSuspendingFunctionReturns() = runBlocking<Unit> {
		val finish = CompletableDeferred<String>()
		val running = async { work.suspending { finish.await() } }
		awaitHeld()
		finish.complete("done")
		assertThat(running.await()).isEqualTo("done")
		assertThat(isHeld()).isFalse()
	}

	@Test
	fun suspendingCallersOfOneKeyRunOneAtATime() = runBlocking<Unit> {
		val inside = AtomicInteger()
		coroutineScope {
			repeat(20) {
				launch(Dispatchers.Default) {
					work.waiting("shared") {
						assertThat(inside.incrementAndGet()).isOne()
						delay(5)
						inside.decrementAndGet()
					}
				}
			}
		}
	}

	@Test
	fun keyUsesArgumentOfSuspendingFunctionByName() = runBlocking<Unit> {
		work.waiting("42") {
			assertThat(locks.find(LockKey.of("coroutines", "42"))).isPresent
		}
	}

	@Test
	fun exceptionOfCoroutineIsRethrownAndLockIsReleased() {
		assertThatIllegalStateException().isThrownBy {
			runBlocking { work.suspending { error("business") } }
		}.withMessage("business")
		assertThat(isHeld()).isFalse()
	}

	@Test
	fun canceledCoroutineReleasesItsLock() = runBlocking<Unit> {
		val running = launch { work.suspending { CompletableDeferred<String>().await() } }
		awaitHeld()
		running.cancelAndJoin()
		await().until { !isHeld() }
	}

	@Test
	fun timedOutCoroutineReleasesItsLock() = runBlocking<Unit> {
		assertThat(runCatching { withTimeout(100) { work.suspending { CompletableDeferred<String>().await() } } }.isFailure)
			.isTrue()
		await().until { !isHeld() }
	}

	@Test
	fun coroutineReentersItsLockAcrossDispatchers() = runBlocking<Unit> {
		val result = work.suspending {
			withContext(Dispatchers.Default) {
				work.suspending { work.flowing(3) {}.toList().joinToString() }
			}
		}
		assertThat(result).isEqualTo("1, 2, 3")
	}

	@Test
	fun flowHoldsLockOnlyDuringCollection() = runBlocking<Unit> {
		val held = mutableListOf<Boolean>()
		val flow = work.flowing(3) { held.add(isHeld()) }
		assertThat(isHeld()).isFalse()
		assertThat(flow.toList()).containsExactly(1, 2, 3)
		assertThat(held).containsExactly(true, true, true)
		assertThat(isHeld()).isFalse()
		assertThat(flow.toList()).containsExactly(1, 2, 3)
	}

	@Test
	fun partlyCollectedFlowReleasesItsLock() = runBlocking<Unit> {
		assertThat(work.flowing(1000) {}.first()).isOne()
		await().until { !isHeld() }
	}

	@Test
	fun flowOfASuspendingFunctionIsLockedUntilItsEnd() = runBlocking<Unit> {
		val held = mutableListOf<Boolean>()
		assertThat(work.suspendingFlow { held.add(isHeld()) }.toList()).containsExactly("a", "b")
		assertThat(held).containsExactly(true, true)
		assertThat(isHeld()).isFalse()
	}

	@Test
	fun deferredHoldsLockUntilCompletion() = runBlocking<Unit> {
		val finish = CompletableDeferred<String>()
		val deferred = work.deferred(finish)
		awaitHeld()
		finish.complete("done")
		assertThat(deferred.await()).isEqualTo("done")
		await().until { !isHeld() }
	}

	@Test
	fun contentionThrowsSkipsOrCallsFallback() = runBlocking<Unit> {
		hold().use {
			val failure = runCatching { work.suspending { "run" } }.exceptionOrNull()
			assertThat(failure).isInstanceOf(LockNotAcquiredException::class.java)
			assertThat(work.skippedText()).isNull()
			assertThat(work.skippedList()).isEmpty()
			work.skippedUnit()
			assertThat(work.skippedFlow().toList()).isEmpty()
			assertThat(work.fallen("x")).isEqualTo("fallback for x: coroutines")
		}
		assertThat(work.skippedText()).isEqualTo("run")
		assertThat(work.fallen("x")).isEqualTo("run")
	}

	@Test
	fun lossEndsCoroutineWithLockLostException() = runBlocking<Unit> {
		val interrupted = async { runCatching { work.interrupted() } }
		awaitHeld()
		locks.forceRelease(KEY)
		assertThat(withTimeout(10_000) { interrupted.await() }.exceptionOrNull())
			.isInstanceOf(LockLostException::class.java)
		val finish = CompletableDeferred<String>()
		val failed = async { runCatching { work.failing(finish) } }
		awaitHeld()
		locks.forceRelease(KEY)
		finish.complete("done")
		assertThat(failed.await().exceptionOrNull()).isInstanceOf(LockLostException::class.java)
	}

	@Test
	fun skippedMethodWithNonNullResultIsRejected() {
		refused(NonNull::class.java, { NonNull() }, "NonNull.work(", SKIPPED)
		refused(SuspendingNonNull::class.java, { SuspendingNonNull() }, "SuspendingNonNull.work(", SKIPPED)
		refused(Primitive::class.java, { Primitive() }, "Primitive.work(", SKIPPED)
		refused(SuspendingPrimitive::class.java, { SuspendingPrimitive() }, "SuspendingPrimitive.work(", SKIPPED)
	}

	@Test
	fun suspendingFunctionsAndFlowsCannotBeFenced() {
		refused(FencedSuspending::class.java, { FencedSuspending() }, "FencedSuspending.work(", COMPLETED_LATER)
		refused(FencedFlow::class.java, { FencedFlow() }, "FencedFlow.work(", COMPLETED_LATER)
	}

	@Test
	fun resultsThatContainUnfinishedWorkAreRejected() {
		refused(SuspendingDeferred::class.java, { SuspendingDeferred() }, "SuspendingDeferred.work(",
			"it returns Deferred<String>, and the work of the Deferred goes on after the return")
		refused(SuspendingList::class.java, { SuspendingList() }, "SuspendingList.work(", "the work of the Flow goes on")
		refused(Lists::class.java, { Lists() }, "Lists.work(", "the work of the Deferred goes on")
	}

	private fun <T : Any> refused(type: Class<T>, bean: Supplier<T>, method: String, problem: String) {
		contexts.withBean(type, bean).run { context ->
			assertThat(context).hasFailed()
			assertThat(context.startupFailure).rootCause()
				.isInstanceOf(LockConfigurationException::class.java)
				.hasMessageContaining(method)
				.hasMessageContaining(problem)
		}
	}

	private suspend fun awaitHeld() {
		withTimeout(10_000) {
			while (!isHeld()) {
				delay(5)
			}
		}
	}

	private fun isHeld() = locks.find(KEY).isPresent

	private fun hold(): LockHandle =
		locks.acquireAsync(LockRequest.of(KEY).withWaitTime(Duration.ofSeconds(10))).join()

	private companion object {

		private val KEY = LockKey.of("coroutines")

		private const val SKIPPED = "no value to return when it is skipped"

		private const val COMPLETED_LATER =
			"'fenced' is true, and its result is completed later: only transactions of the thread that calls the" +
				" method are fenced"

	}

}
