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

package io.github.watchdoglock.benchmarks.calls;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;

import io.github.watchdoglock.benchmarks.run.Redis;
import org.jspecify.annotations.Nullable;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;

/**
 * A counter of the library's methods that the thread of a caller enters while it acquires
 * and releases a lock, including constructors and lambdas. It loads the classes of the
 * library with a counter at the beginning of each method.
 */
public final class CountedCalls extends ClassLoader {

	private static final String LIBRARY = "io.github.watchdoglock.";

	private static final String CLOCK = LIBRARY + "time.Clock.read";

	/* It calls itself 128 times. */
	private static final String STACK_CHECK = LIBRARY + "engine.Callers.ensureStack";

	private static final int ROUNDS = 20;

	/** Accessed by the thread of the caller only. */
	private static Map<String, Integer> calls = Map.of();

	private static volatile @Nullable Thread caller;

	private CountedCalls() {
		super(CountedCalls.class.getClassLoader());
	}

	/**
	 * Print a table.
	 * @param args {@code --types} for the calls of each type, {@code --methods} for the
	 * calls of each method
	 * @throws Exception if a lock could not be acquired
	 */
	public static void main(String[] args) throws Exception {
		System.out.println("| what | calls of the engine | types | of the library | types | readings of"
				+ " the clock | of the ticker |\n|---|---|---|---|---|---|---|");
		report("in memory", measure(UncontendedLocks.class, Duration.ZERO), args);
		report("the same, kept for a minute", measure(UncontendedLocks.class, Duration.ofMinutes(1)), args);
		try (Redis redis = Redis.start(null)) {
			report("annotated method, Redis, meters", measure(AnnotatedMethods.class, redis.port()), args);
		}
		System.exit(0);
	}

	private static void report(String what, Map<String, Integer> least, String[] options) {
		System.out.printf("| %s | %s | %s | %d | %d |%n", what, sum(least, LIBRARY + "engine."), sum(least, LIBRARY),
				total(starting(least, CLOCK)), total(starting(least, "Ticker.")));
		for (String option : options) {
			print(starting(least, LIBRARY), option.equals("--types") ? CountedCalls::type : Function.identity());
		}
	}

	/* Calls that depend on the moment, such as waking the watchdog up, are left out. */
	@SuppressWarnings("unchecked")
	private static Map<String, Integer> measure(Class<?> what, Object argument) throws Exception {
		Class<?> type = new CountedCalls().loadClass(what.getName());
		Function<String, Callable<?>> locks = (Function<String, Callable<?>>) type.getConstructor(argument.getClass())
			.newInstance(argument);
		Map<String, Integer> least = count(locks.apply("first"));
		for (int i = 0; i < ROUNDS; i++) {
			Map<String, Integer> counted = count(locks.apply("lock-" + i));
			least = (total(counted) < total(least)) ? counted : least;
		}
		return least;
	}

	private static Map<String, Integer> count(Callable<?> lock) throws Exception {
		calls = new HashMap<>();
		caller = Thread.currentThread();
		lock.call();
		caller = null;
		calls.remove(STACK_CHECK);
		return calls;
	}

	/**
	 * Count a call.
	 * @param method the method that the calling thread has entered
	 */
	public static void count(String method) {
		if (Thread.currentThread() == caller) {
			calls.merge(method, 1, Integer::sum);
		}
	}

	private static Map<String, Integer> starting(Map<String, Integer> counted, String prefix) {
		Map<String, Integer> some = new TreeMap<>(counted);
		some.keySet().removeIf((method) -> !method.startsWith(prefix));
		return some;
	}

	private static int total(Map<String, Integer> counted) {
		return counted.values().stream().mapToInt(Integer::intValue).sum();
	}

	private static String sum(Map<String, Integer> counted, String prefix) {
		Map<String, Integer> some = starting(counted, prefix);
		return total(some) + " | " + some.keySet().stream().map(CountedCalls::type).distinct().count();
	}

	/* The top-level type that contains a method. */
	private static String type(String method) {
		return method.substring(0, method.lastIndexOf('.')).replaceFirst("\\$.*", "");
	}

	private static void print(Map<String, Integer> counted, Function<String, String> name) {
		Map<String, Integer> named = new TreeMap<>();
		counted.forEach((method, count) -> named.merge(name.apply(method), count, Integer::sum));
		named.entrySet()
			.stream()
			.sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
			.forEach((call) -> System.out.printf("%5d %s%n", call.getValue(), call.getKey()));
	}

	@Override
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		if (!name.startsWith(LIBRARY) || name.equals(CountedCalls.class.getName())) {
			return super.loadClass(name, resolve);
		}
		synchronized (getClassLoadingLock(name)) {
			Class<?> loaded = findLoadedClass(name);
			return (loaded != null) ? loaded : define(name);
		}
	}

	private Class<?> define(String name) {
		try (InputStream file = Objects.requireNonNull(getResourceAsStream(name.replace('.', '/') + ".class"))) {
			boolean counted = !name.startsWith(LIBRARY + "benchmarks.");
			byte[] code = counted ? counted(name, new ClassReader(file)) : file.readAllBytes();
			return defineClass(name, code, 0, code.length);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static byte[] counted(String type, ClassReader reader) {
		ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
		reader.accept(new ClassVisitor(SpringAsmInfo.ASM_VERSION, writer) {

			@Override
			public MethodVisitor visitMethod(int access, String name, String descriptor, @Nullable String signature,
					String @Nullable [] exceptions) {
				return counted(type + "." + name, super.visitMethod(access, name, descriptor, signature, exceptions));
			}

		}, 0);
		return writer.toByteArray();
	}

	/*
	 * Calls of the ticker are counted at the caller, because the system's ticker has no
	 * class.
	 */
	private static MethodVisitor counted(String method, MethodVisitor code) {
		return new MethodVisitor(SpringAsmInfo.ASM_VERSION, code) {

			@Override
			public void visitCode() {
				super.visitCode();
				addCount(code, method);
			}

			@Override
			public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
				if (opcode == Opcodes.INVOKEINTERFACE && owner.endsWith("/Ticker")) {
					addCount(code, "Ticker." + name);
				}
				super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
			}

		};
	}

	private static void addCount(MethodVisitor code, String method) {
		code.visitLdcInsn(method);
		code.visitMethodInsn(Opcodes.INVOKESTATIC, CountedCalls.class.getName().replace('.', '/'), "count",
				"(Ljava/lang/String;)V", false);
	}

}
