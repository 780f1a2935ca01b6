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

package io.github.watchdoglock.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Predicate;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;

/**
 * A class loader that adds error points to classes of the library, so that an error can
 * be thrown wherever the JVM may throw one: when a method is entered (no stack), and when
 * memory is allocated (no memory).
 */
public final class ErrorPoints extends ClassLoader {

	private static final String LIBRARY = "io.github.watchdoglock.";

	private final Predicate<String> pointed;

	private final Map<String, byte[]> changed;

	/**
	 * Create the class loader.
	 * @param pointed matches the names of classes that get points
	 */
	public ErrorPoints(Predicate<String> pointed) {
		this(pointed, Map.of());
	}

	/**
	 * Create the class loader, with some classes that replace those of the build.
	 * @param pointed matches the names of classes that get points
	 * @param changed the code of classes by their names
	 */
	public ErrorPoints(Predicate<String> pointed, Map<String, byte[]> changed) {
		super(ErrorPoints.class.getClassLoader());
		this.pointed = pointed;
		this.changed = changed;
	}

	@Override
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		if (!name.startsWith(LIBRARY)) {
			return super.loadClass(name, resolve);
		}
		synchronized (getClassLoadingLock(name)) {
			Class<?> loaded = findLoadedClass(name);
			return (loaded != null) ? loaded : define(name);
		}
	}

	private Class<?> define(String name) throws ClassNotFoundException {
		try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
			if (file == null) {
				throw new ClassNotFoundException(name);
			}
			byte[] code = this.changed.getOrDefault(name, file.readAllBytes());
			boolean points = this.pointed.test(name);
			byte[] defined = points ? withPoints(code) : code;
			return defineClass(name, defined, 0, defined.length);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static byte[] withPoints(byte[] code) {
		ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
		new ClassReader(code).accept(new ClassVisitor(SpringAsmInfo.ASM_VERSION, writer) {

			@Override
			public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
					String[] exceptions) {
				MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
				return name.equals("<clinit>") ? method : new Points(method);
			}

		}, 0);
		return writer.toByteArray();
	}

	private static final class Points extends MethodVisitor {

		private Points(MethodVisitor method) {
			super(SpringAsmInfo.ASM_VERSION, method);
		}

		private void point() {
			super.visitMethodInsn(Opcodes.INVOKESTATIC, ErrorPoint.class.getName().replace('.', '/'), "pass", "()V",
					false);
		}

		@Override
		public void visitCode() {
			super.visitCode();
			point();
		}

		@Override
		public void visitTypeInsn(int opcode, String type) {
			// After the instruction, because stack frames refer to the position of the
			// instruction.
			super.visitTypeInsn(opcode, type);
			if (opcode == Opcodes.NEW || opcode == Opcodes.ANEWARRAY) {
				point();
			}
		}

		@Override
		public void visitIntInsn(int opcode, int operand) {
			if (opcode == Opcodes.NEWARRAY) {
				point();
			}
			super.visitIntInsn(opcode, operand);
		}

		@Override
		public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
			point();
			super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
		}

	}

}
