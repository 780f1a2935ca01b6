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

package io.github.watchdoglock.torture;

/**
 * The classes of faults. Deleted locks and failovers are not included, because they break
 * exclusion by design.
 */
enum FaultKind {

	/** Commands or answers are delayed. */
	DELAY,

	/** Commands are held back for a while. */
	STALL_COMMANDS,

	/** Answers are held back for a while. */
	STALL_ANSWERS,

	/** Commands run, their answers are lost, and the connection is reset or silent. */
	DROP_ANSWER,

	/** Commands reach Redis twice. */
	SEND_TWICE,

	/** Connections are closed, and new ones are rejected for a while. */
	CUT,

	/** Connections are reset, and new ones are rejected for a while. */
	RESET,

	/** Connections look open and carry nothing any more. */
	SWALLOW,

	/** SIGSTOP, and SIGCONT after a while. */
	FREEZE_INSTANCE,

	/** SIGKILL; a new instance after a while. */
	KILL_INSTANCE,

	/** An instance's time of day is set. */
	JUMP_CLOCK,

	/** SCRIPT FLUSH. */
	FLUSH_SCRIPTS,

	/** Redis forgets free locks. */
	FORGET_FREE,

	/** CLIENT PAUSE: Redis serves no client for a while. */
	PAUSE_CLIENTS

}
