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

import java.util.Random;

import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.store.AttemptId.Kind;

/**
 * The kinds of requests of the callers of a key.
 */
enum Sharing {

	/** All requests are exclusive. */
	ALONE {

		@Override
		LockRequest draw(LockRequest request, Random random) {
			return request;
		}

	},

	/** Some requests read, and some write. */
	READ_WRITE {

		@Override
		LockRequest draw(LockRequest request, Random random) {
			return request.withMode((random.nextInt(3) > 0) ? LockMode.READ : LockMode.WRITE);
		}

	},

	/**
	 * The requests have different numbers of permits; a smaller number leaves less room
	 * for others.
	 */
	PERMITS {

		@Override
		LockRequest draw(LockRequest request, Random random) {
			return request.withPermits((random.nextInt(3) > 0) ? MAX_PERMITS : 2);
		}

	};

	static final int MAX_PERMITS = 3;

	private static final String EXCLUSIVE = "alone";

	abstract LockRequest draw(LockRequest request, Random random);

	static Kind kindOf(LockRequest request) {
		Integer permits = request.permits();
		if (permits != null && permits > 0) {
			return Kind.permits(permits);
		}
		return (request.mode() == LockMode.READ) ? Kind.READ : Kind.EXCLUSIVE;
	}

	/* Another request of a hold's thread; an exclusive holder may also read. */
	static LockRequest again(LockRequest request, Random random) {
		Integer permits = request.permits();
		if (permits != null) {
			return LockRequest.of(request.key()).withPermits(permits);
		}
		boolean read = request.mode() == LockMode.READ || random.nextInt(4) == 0;
		return LockRequest.of(request.key()).withMode(read ? LockMode.READ : LockMode.WRITE);
	}

	/* The notation that kind(String) reads. */
	static String word(Kind kind) {
		return kind.isShared() ? kind.suffix() : EXCLUSIVE;
	}

	static Kind kind(String word) {
		return word.equals(EXCLUSIVE) ? Kind.EXCLUSIVE : Kind.parse(word);
	}

}
