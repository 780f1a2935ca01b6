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

package io.github.watchdoglock.benchmarks.load;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/**
 * What the flight recorder says of locks; needs that of a JDK 25.
 */
final class FlightRecords {

	/** Where threads were parked that were in none of the classes. */
	static final String OTHERS = "others";

	private static final int LOCKS = 20_000;

	private FlightRecords() {
	}

	/* How often a lock that nobody else wants comes to each method. */
	static Map<String, Double> counts(Entrance entrance, List<String> methods) throws Exception {
		entrance.pass(() -> {
		});
		Map<String, Double> counts = new LinkedHashMap<>();
		methods.forEach((method) -> counts.put(method, 0.0));
		try (Recording recording = new Recording()) {
			recording.enable("jdk.MethodTiming").with("filter", String.join(";", methods));
			recording.start();
			for (int i = 0; i < LOCKS; i++) {
				entrance.pass(() -> {
				});
			}
			recording.stop();
			for (RecordedEvent event : events(recording)) {
				if (event.getEventType().getName().equals("jdk.MethodTiming")) {
					RecordedMethod method = event.getValue("method");
					counts.merge(method.getType().getName() + "::" + method.getName(),
							event.getLong("invocations") / (double) LOCKS, Double::max);
				}
			}
		}
		if (counts.values().stream().allMatch((count) -> count == 0)) {
			throw new IllegalStateException("The flight recorder has counted no call of " + methods);
		}
		return counts;
	}

	/* For how many seconds threads were parked, by the class in which they were. */
	static Map<String, Double> parked(List<Class<?>> classes, Work work) throws Exception {
		Map<String, Double> parked = new LinkedHashMap<>();
		try (Recording recording = new Recording()) {
			recording.enable("jdk.ThreadPark").withoutThreshold().withStackTrace();
			recording.start();
			work.run();
			recording.stop();
			for (RecordedEvent event : events(recording)) {
				parked.merge(where(event, classes), event.getDuration().toNanos() / 1e9, Double::sum);
			}
		}
		return parked;
	}

	private static String where(RecordedEvent event, List<Class<?>> classes) {
		RecordedStackTrace stack = event.getStackTrace();
		if (stack != null) {
			for (RecordedFrame frame : stack.getFrames()) {
				String type = frame.getMethod().getType().getName();
				if (classes.stream().anyMatch((each) -> each.getName().equals(type))) {
					return type;
				}
			}
		}
		return OTHERS;
	}

	private static List<RecordedEvent> events(Recording recording) throws Exception {
		Path file = Files.createTempFile("sections", ".jfr");
		try {
			recording.dump(file);
			return RecordingFile.readAllEvents(file);
		}
		finally {
			Files.delete(file);
		}
	}

	/**
	 * What threads do meanwhile.
	 */
	@FunctionalInterface
	interface Work {

		void run() throws Exception;

	}

}
