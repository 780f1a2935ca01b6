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

package com.example.lines;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

import org.springframework.asm.ClassReader;
import org.springframework.asm.Type;

/**
 * The classes, fields and methods of other libraries that a class refers to, from its
 * constant pool.
 */
final class ClassReferences {

	private static final int CLASS = 7;

	private static final int FIELD = 9;

	private static final int METHOD = 10;

	private static final int INTERFACE_METHOD = 11;

	private final ClassReader reader;

	private final char[] buffer;

	ClassReferences(byte[] bytes) {
		this.reader = new ClassReader(bytes);
		this.buffer = new char[this.reader.getMaxStringLength()];
	}

	/* The referenced elements that do not exist. */
	Set<String> missing() {
		Set<String> missing = new TreeSet<>();
		for (int i = 1; i < this.reader.getItemCount(); i++) {
			int offset = this.reader.getItem(i);
			switch ((offset > 0) ? this.reader.readByte(offset - 1) : 0) {
				case CLASS -> check(this.reader.readUTF8(offset, this.buffer), "", "", missing);
				case FIELD, METHOD, INTERFACE_METHOD -> {
					int nameAndType = this.reader.getItem(this.reader.readUnsignedShort(offset + 2));
					check(this.reader.readClass(offset, this.buffer), this.reader.readUTF8(nameAndType, this.buffer),
							this.reader.readUTF8(nameAndType + 2, this.buffer), missing);
				}
				default -> {
				}
			}
		}
		return missing;
	}

	private static void check(String type, String member, String descriptor, Set<String> missing) {
		String name = type.replace('/', '.');
		if (type.startsWith("[") || name.startsWith("java.")) {
			return;
		}
		try {
			Class<?> owner = Class.forName(name, false, ClassReferences.class.getClassLoader());
			if (!member.isEmpty() && !has(owner, member, descriptor)) {
				missing.add(name + "." + member + descriptor);
			}
		}
		catch (ClassNotFoundException ex) {
			missing.add(name);
		}
		catch (NoClassDefFoundError ex) {
			// The class exists, and needs an optional library itself
		}
	}

	private static boolean has(Class<?> owner, String member, String descriptor) {
		if (member.equals("<init>")) {
			return Arrays.stream(owner.getDeclaredConstructors())
				.map(Type::getConstructorDescriptor)
				.anyMatch(descriptor::equals);
		}
		return declares(owner, member, descriptor)
				|| (owner.isInterface() && declares(Object.class, member, descriptor));
	}

	private static boolean declares(Class<?> owner, String member, String descriptor) {
		Class<?> parent = owner.getSuperclass();
		return declaresItself(owner, member, descriptor) || (parent != null && declares(parent, member, descriptor))
				|| Arrays.stream(owner.getInterfaces()).anyMatch((type) -> declares(type, member, descriptor));
	}

	private static boolean declaresItself(Class<?> owner, String member, String descriptor) {
		if (descriptor.startsWith("(")) {
			return Arrays.stream(owner.getDeclaredMethods())
				.filter((method) -> method.getName().equals(member))
				.map(Type::getMethodDescriptor)
				.anyMatch(descriptor::equals);
		}
		return Arrays.stream(owner.getDeclaredFields())
			.filter((field) -> field.getName().equals(member))
			.map((field) -> Type.getDescriptor(field.getType()))
			.anyMatch(descriptor::equals);
	}

}
