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

package io.github.watchdoglock.benchmarks.run;

import java.lang.management.ManagementFactory;

import javax.management.AttributeNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;

import com.sun.management.ThreadMXBean;

/**
 * The resources that this JVM has used.
 */
public final class Consumption {

	private Consumption() {
	}

	/**
	 * Return the bytes that all threads have allocated. Allocations of virtual threads
	 * are attributed to their carrier threads, so the total of the JVM is used. If the
	 * JVM does not report it (before Java 21), this is the sum of all threads, none of
	 * which may end meanwhile.
	 * @return the number of bytes
	 */
	public static long bytes() {
		try {
			return (Long) ManagementFactory.getPlatformMBeanServer()
				.getAttribute(new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME), "TotalThreadAllocatedBytes");
		}
		catch (AttributeNotFoundException ex) {
			ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
			long sum = 0;
			for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
				sum += Math.max(0, bytes);
			}
			return sum;
		}
		catch (JMException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
