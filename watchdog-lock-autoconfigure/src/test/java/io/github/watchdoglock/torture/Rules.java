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
 * The limits that a run is checked against.
 *
 * @param recovery how long trouble may have an effect after it has ended
 * @param lossGrace the time without trouble before the loss of a renewed lock after which
 * the loss is a violation
 * @param orphan how long a free key may keep an instance without trouble waiting
 * @param passes how often others may acquire a key while an instance without trouble
 * waits for it
 */
record Rules(Duration recovery, Duration lossGrace, Duration orphan, int passes) {

}
