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
 * The classes of faults. Deleting locks that somebody has is none of them, nor is a
 * failover: they break exclusion by design.
 */
enum FaultKind {

	/** Commands or answers come late. */
	DELAY,

	/** Commands are kept for a while. */
	STALL_COMMANDS,

	/** Answers are kept for a while. */
	STALL_ANSWERS,

	/** Commands run, their answers are lost, the connection is reset or silent. */
	DROP_ANSWER,

	/** Commands reach Redis twice. */
	SEND_TWICE,

	/** Connections are closed, and for a while no new one is let in. */
	CUT,

	/** Connections are reset, and for a while no new one is let in. */
	RESET,

	/** Connections look open and carry nothing any more. */
	SWALLOW,

	/** SIGSTOP, and SIGCONT after a while. */
	FREEZE_INSTANCE,

	/** SIGKILL; a new instance after a while. */
	KILL_INSTANCE,

	/** Somebody sets an instance's time of day. */
	JUMP_CLOCK,

	/** SCRIPT FLUSH. */
	FLUSH_SCRIPTS,

	/** Redis forgets the locks that nobody has. */
	FORGET_FREE,

	/** CLIENT PAUSE: Redis serves nobody for a while. */
	PAUSE_CLIENTS

}
