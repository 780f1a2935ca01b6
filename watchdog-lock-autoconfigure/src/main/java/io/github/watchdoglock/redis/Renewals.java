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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.watchdoglock.redis.connection.StoreFailures;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.RenewCommand;

/**
 * The sender of renewals, which sends them together and answers them one by one.
 * Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class Renewals {

	/* Larger batches save nothing, and block Redis for more than half a millisecond. */
	static final int MAX_BATCH = 100;

	/*
	 * Errors with which the server may have rejected one key of many. A command that the
	 * user may not run is not the fault of one key.
	 */
	private static final Pattern OF_ONE_KEY = Pattern.compile(
			"(TRYAGAIN|ASK|MOVED) .*|.*CROSSSLOT.*|(NOPERM|.*ACL failure in script|.*The user executing the script)"
					+ ".*( access | keys ).*",
			Pattern.DOTALL);

	private final Consumer<ScriptCall<?>> connection;

	private final ScriptArguments arguments;

	private final CallTimeouts timeouts;

	private final StoreFailures failures;

	/* Also set once Redis has answered that the keys of one script must share a slot. */
	private volatile boolean slotted;

	Renewals(Consumer<ScriptCall<?>> connection, ScriptArguments arguments, boolean clustered, CallTimeouts timeouts,
			StoreFailures failures) {
		this.connection = connection;
		this.slotted = clustered;
		this.arguments = arguments;
		this.timeouts = timeouts;
		this.failures = failures;
	}

	List<CompletionStage<RenewAnswer>> send(List<RenewCommand> commands) {
		long now = System.nanoTime();
		List<Renewal> renewals = commands.stream()
			.map((command) -> new Renewal(command, new CompletableFuture<>()))
			.toList();
		boolean bySlot = this.slotted;
		renewals.stream()
			.collect(Collectors.groupingBy((renewal) -> group(renewal.command(), bySlot), LinkedHashMap::new,
					Collectors.toList()))
			.forEach((group, members) -> sendGroup(members, now + group.timeout().toNanos()));
		return renewals.stream().<CompletionStage<RenewAnswer>>map(Renewal::answer).toList();
	}

	private Group group(RenewCommand command, boolean bySlot) {
		int slot = bySlot ? this.arguments.slot(command.key()) : 0;
		return new Group(slot, command.timeout(), command.lease(), command.nextBlock());
	}

	private void sendGroup(List<Renewal> renewals, long deadline) {
		for (int i = 0; i < renewals.size(); i += MAX_BATCH) {
			sendBatch(renewals.subList(i, Math.min(i + MAX_BATCH, renewals.size())), deadline);
		}
	}

	private void sendBatch(List<Renewal> batch, long deadline) {
		ScriptCall<ScriptAnswers.Batch> call = new ScriptCall<>(LockScript.RENEW,
				this.arguments.renew(batch.stream().map(Renewal::command).toList()),
				(answer) -> ScriptAnswers.renewed(answer, batch.size()), null);
		Duration left = Duration.ofNanos(Math.max(TimeUnit.MILLISECONDS.toNanos(1), deadline - System.nanoTime()));
		call.within(left, this.timeouts).whenComplete((answers, failure) -> {
			if (failure == null) {
				batch.forEach((renewal) -> read(renewal, answers));
			}
			else {
				failed(batch, deadline, call.isSent(), failure);
			}
		});
		try {
			this.connection.accept(call);
		}
		catch (RuntimeException ex) {
			// The batches that follow in a loop must be sent all the same.
			call.fail(ex);
		}
	}

	private void read(Renewal renewal, ScriptAnswers.Batch answers) {
		try {
			renewal.answer().complete(answers.next(renewal.command()));
		}
		catch (RuntimeException ex) {
			fail(renewal, true, ex);
		}
	}

	private void fail(Renewal renewal, boolean sent, Throwable failure) {
		renewal.answer().completeExceptionally(this.failures.of(sent, failure));
	}

	/*
	 * If Redis rejected a batch as a whole, one key may be the cause, so each renewal is
	 * sent again separately. An error of the server itself must not cause a hundred more
	 * commands: the renewals fail, and are sent again together later.
	 */
	private void failed(List<Renewal> batch, long deadline, boolean sent, Throwable failure) {
		String error = StoreFailures.serverError(failure);
		if (error != null && batch.size() > 1 && OF_ONE_KEY.matcher(error).matches()) {
			this.slotted |= error.contains("CROSSSLOT");
			batch.forEach((renewal) -> sendBatch(List.of(renewal), deadline));
			return;
		}
		batch.forEach((renewal) -> fail(renewal, sent, failure));
	}

	/**
	 * The properties that the renewals of a batch share: they differ only in key, owner
	 * and first token.
	 *
	 * @param slot the slot of their keys, if they must share one; otherwise zero
	 */
	private record Group(int slot, Duration timeout, Duration lease, boolean nextBlock) {

	}

	private record Renewal(RenewCommand command, CompletableFuture<RenewAnswer> answer) {

	}

}
