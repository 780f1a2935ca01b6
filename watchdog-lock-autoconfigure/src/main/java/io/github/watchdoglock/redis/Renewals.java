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

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;

import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.RenewCommand;

/**
 * The sender of renewals, which sends them together and answers them one by one.
 * Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class Renewals {

	/* Larger batches save nothing, and block Redis for more than half a millisecond. */
	static final int LARGEST_BATCH = 100;

	/*
	 * Errors with which the server may have rejected one key of many. A command that the
	 * user may not run is not the fault of one key.
	 */
	private static final Pattern OF_ONE_KEY = Pattern.compile(
			"(TRYAGAIN|ASK|MOVED) .*|.*CROSSSLOT.*|(NOPERM|.*ACL failure in script|.*The user executing the script)"
					+ ".*( access | keys ).*",
			Pattern.DOTALL);

	private final ScriptExecutor executor;

	private final ScriptArguments arguments;

	private final CallTimeouts timeouts;

	private final StoreFailures failures;

	/* Set once Redis has answered that the keys of one script must share a slot. */
	private volatile boolean slotted;

	Renewals(ScriptExecutor executor, ScriptArguments arguments, CallTimeouts timeouts, StoreFailures failures) {
		this.executor = executor;
		this.arguments = arguments;
		this.timeouts = timeouts;
		this.failures = failures;
	}

	List<CompletionStage<RenewAnswer>> send(List<RenewCommand> commands) {
		List<CompletionStage<RenewAnswer>> answers = new ArrayList<>(commands.size());
		List<Renewal> renewals = new ArrayList<>(commands.size());
		for (RenewCommand command : commands) {
			Renewal renewal = new Renewal(command, new CompletableFuture<>(),
					System.nanoTime() + command.timeout().toNanos(), this.failures);
			renewals.add(renewal);
			answers.add(renewal.answer());
		}
		batches(renewals, this.slotted || this.executor.isClustered()).forEach(this::sendBatch);
		return answers;
	}

	/*
	 * The renewals of a batch differ only in key, owner and first token, and share a slot
	 * if that is required.
	 */
	private List<List<Renewal>> batches(List<Renewal> renewals, boolean bySlot) {
		Map<Object, List<Renewal>> open = new LinkedHashMap<>();
		List<List<Renewal>> batches = new ArrayList<>();
		for (Renewal renewal : renewals) {
			Object group = group(renewal, bySlot);
			List<Renewal> batch = open.get(group);
			if (batch == null || batch.size() == LARGEST_BATCH) {
				batch = new ArrayList<>();
				batches.add(batch);
				open.put(group, batch);
			}
			batch.add(renewal);
		}
		return batches;
	}

	private Object group(Renewal renewal, boolean bySlot) {
		int slot = bySlot ? this.arguments.slot(renewal.command().key()) : 0;
		RenewCommand command = renewal.command();
		return new Group(slot, command.timeout(), command.lease(), command.nextBlock());
	}

	private void sendBatch(List<Renewal> batch) {
		ScriptCall<List<String>> call = new ScriptCall<>(LockScript.RENEW,
				this.arguments.renew(batch.stream().map(Renewal::command).toList()), Function.identity());
		call.within(batch.get(0).left(), this.timeouts).whenComplete((answer, failure) -> {
			if (failure != null) {
				failed(batch, call, failure);
				return;
			}
			read(batch, answer);
		});
		try {
			this.executor.run(call);
		}
		catch (RuntimeException ex) {
			// The batches that follow in a loop must be sent all the same.
			call.fail(ex);
		}
	}

	private static void read(List<Renewal> batch, List<String> answer) {
		ScriptAnswers.Batch answers;
		try {
			answers = ScriptAnswers.renewed(answer, batch.size());
		}
		catch (RuntimeException ex) {
			batch.forEach((renewal) -> renewal.fail(true, ex));
			return;
		}
		for (Renewal renewal : batch) {
			renewal.read(answers);
		}
	}

	/*
	 * If Redis rejected a batch as a whole, one key may be the cause, so each renewal is
	 * sent again separately. An error of the server itself must not cause a hundred more
	 * commands: the renewals fail, and are sent again together later.
	 */
	private void failed(List<Renewal> batch, ScriptCall<?> call, Throwable failure) {
		String error = StoreFailures.serverError(failure);
		if (error != null && batch.size() > 1 && OF_ONE_KEY.matcher(error).matches()) {
			this.slotted |= error.contains("CROSSSLOT");
			batch.forEach((renewal) -> sendBatch(List.of(renewal)));
			return;
		}
		batch.forEach((renewal) -> renewal.fail(call.isSent(), failure));
	}

	private record Group(int slot, Duration timeout, Duration lease, boolean nextBlock) {

	}

	/**
	 * A command and its answer.
	 *
	 * @param command the command
	 * @param answer its answer
	 * @param deadline when the answer must have arrived, by {@link System#nanoTime()}
	 * @param failures creates the exceptions of failures
	 */
	private record Renewal(RenewCommand command, CompletableFuture<RenewAnswer> answer, long deadline,
			StoreFailures failures) {

		Duration left() {
			return Duration.ofNanos(Math.max(TimeUnit.MILLISECONDS.toNanos(1), this.deadline - System.nanoTime()));
		}

		void read(ScriptAnswers.Batch answers) {
			try {
				this.answer.complete(answers.next(this.command, this.failures));
			}
			catch (LockStoreException ex) {
				this.answer.completeExceptionally(ex);
			}
			catch (RuntimeException ex) {
				fail(true, ex);
			}
		}

		void fail(boolean sent, Throwable failure) {
			this.answer.completeExceptionally(this.failures.of(sent, failure));
		}

	}

}
