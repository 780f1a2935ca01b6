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

import java.time.Duration;

/**
 * The bounds that a run is checked by.
 *
 * @param recovery how long trouble may be felt after it has ended
 * @param lossGrace how long before the loss of a renewed lock nothing may have been
 * wrong, so that the loss has no excuse
 * @param orphan how long a key that nobody holds may keep one waiting with whom nothing
 * is wrong
 * @param passes how often others may take a key while an instance waits for it with which
 * nothing is wrong
 */
record Rules(Duration recovery, Duration lossGrace, Duration orphan, int passes) {

}
