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

package io.github.watchdoglock.interceptor.declaration;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.util.List;

import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.annotation.DistributedLocks;
import io.github.watchdoglock.support.InterceptorFixture;
import org.junit.jupiter.api.Test;

import org.springframework.core.annotation.AliasFor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockAnnotations}.
 */
class LockAnnotationsTests {

	private final InterceptorFixture fixture = new InterceptorFixture();

	@Test
	void methodAnnotationTakesPrecedenceOverTypeAnnotation() {
		assertThat(name(OnType.class, "own")).isEqualTo("own");
		assertThat(name(OnType.class, "open")).isEqualTo("type");
	}

	@Test
	void annotationOfTypeCountsForPublicMethodsOnly() {
		assertThat(this.fixture.isLocked(OnType.class, "open")).isTrue();
		assertThat(this.fixture.isLocked(OnType.class, "hidden"))
			.as("as('method that is not public is locked by the annotation of its type'): false")
			.isFalse();
		assertThat(this.fixture.isLocked(OnType.class, "toString")).isFalse();
		assertThat(this.fixture.isLocked(OnType.class, "hashCode")).isFalse();
		Method behindAnInterface = InterceptorFixture.method(Runnable.class, "run");
		assertThat(this.fixture.source.isLocked(behindAnInterface, Behind.class)).isTrue();
	}

	@Test
	void annotationOfTypeIsInheritedBySubclass() {
		assertThat(name(SubOfType.class, "open")).isEqualTo("type");
		assertThat(name(SubOfType.class, "more")).isEqualTo("type");
	}

	@Test
	void annotationOfSuperclassMethodCountsForOverride() {
		assertThat(name(Override1.class, "work")).isEqualTo("base");
		assertThat(name(Override1.class, "unnamed")).isEqualTo("Base.unnamed");
	}

	@Test
	void annotationOfInterfaceMethodCountsForImplementation() {
		assertThat(name(Implementation.class, "work")).isEqualTo("contract");
		assertThat(this.fixture.isLocked(Implementation.class, "other")).isFalse();
	}

	@Test
	void inheritedImplementationIsLockedOnlyWhenCalledThroughInterface() {
		Method work = InterceptorFixture.method(Unaware.class, "work");
		assertThat(this.fixture.source.isLocked(work, Aware.class))
			.as("as('inherited method, called through its class, is locked'): false")
			.isFalse();
		Method declared = InterceptorFixture.method(Declaring.class, "work");
		assertThat(this.fixture.source.isLocked(declared, Aware.class)).isTrue();
	}

	@Test
	void annotationOfSuperinterfaceCountsOnlyForItsMethods() {
		assertThat(name(Distant.class, "work")).isEqualTo("distant");
		assertThat(this.fixture.isLocked(Distant.class, "other")).isFalse();
	}

	@Test
	void annotationOfInterfaceCountsOnlyForItsMethods() {
		assertThat(name(TypedImplementation.class, "save")).isEqualTo("typed");
		assertThat(name(TypedImplementation.class, "fallback")).isEqualTo("typed");
		assertThat(this.fixture.isLocked(TypedImplementation.class, "unrelated")).isFalse();
	}

	@Test
	void bridgeMethodIsLockedLikeBridgedMethod() {
		assertThat(TypedImplementation.class.getDeclaredMethods())
			.filteredOn((method) -> method.getName().equals("save"))
			.hasSize(2)
			.allMatch((method) -> this.fixture.source.isLocked(method, TypedImplementation.class));
	}

	@Test
	void composedAnnotationProvidesNameAndLease() {
		LockSpec spec = spec(Composed.class, "work");
		assertThat(spec.name()).isEqualTo("jobs");
		assertThat(spec.lease().duration()).hasSeconds(7);
	}

	@Test
	void allRepeatedAnnotationsOfMethodCount() {
		assertThat(names(Repeated.class, "twice")).containsExactly("a", "b");
		assertThat(names(Repeated.class, "contained")).containsExactly("c", "d");
		assertThat(names(Repeated.class, "composed")).containsExactly("e", "f");
		assertThat(names(Repeated.class, "mixed")).containsExactly("g", "jobs");
	}

	@Test
	void allRepeatedAnnotationsOfTypeOrInterfaceCount() {
		assertThat(names(OnTypeTwice.class, "open")).containsExactly("x", "y");
		assertThat(names(SubOfTypeTwice.class, "more")).containsExactly("x", "y");
		assertThat(names(ContractTwiceImplementation.class, "work")).containsExactly("p", "q");
	}

	@Test
	void annotationOfMethodReplacesInheritedAnnotations() {
		assertThat(names(NearestOfThree.class, "work")).containsExactly("own");
	}

	private List<String> names(Class<?> type, String method) {
		return this.fixture.source.lockedMethod(InterceptorFixture.method(type, method), type)
			.specs()
			.stream()
			.map(LockSpec::name)
			.toList();
	}

	private String name(Class<?> type, String method) {
		return spec(type, method).name();
	}

	private LockSpec spec(Class<?> type, String method) {
		List<LockSpec> specs = this.fixture.lockedMethod(type, method).specs();
		assertThat(specs).hasSize(1);
		return specs.get(0);
	}

	@DistributedLock("type")
	public static class OnType {

		@DistributedLock("own")
		public void own() {
		}

		public void open() {
		}

		void hidden() {
		}

		@Override
		public String toString() {
			return "OnType";
		}

	}

	@DistributedLock("behind")
	static class Behind implements Runnable {

		@Override
		public void run() {
		}

	}

	public static class SubOfType extends OnType {

		public void more() {
		}

	}

	public static class Base {

		@DistributedLock("base")
		public void work() {
		}

		@DistributedLock
		public void unnamed() {
		}

	}

	public static class Override1 extends Base {

		@Override
		public void work() {
		}

	}

	interface Contract {

		@DistributedLock("contract")
		void work();

	}

	public static class Implementation implements Contract {

		@Override
		public void work() {
		}

		public void other() {
		}

	}

	@DistributedLock("typed")
	interface Typed<T> {

		void save(T value);

		default void fallback() {
		}

	}

	public static class TypedImplementation implements Typed<String> {

		@Override
		public void save(String value) {
		}

		public void unrelated() {
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock("jobs")
	@interface Job {

		@AliasFor(annotation = DistributedLock.class, attribute = "leaseTime")
		String atMost();

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock("e")
	@DistributedLock("f")
	@interface Both {

	}

	public static class Repeated {

		@DistributedLock("a")
		@DistributedLock("b")
		public void twice() {
		}

		@DistributedLocks({ @DistributedLock("c"), @DistributedLock("d") })
		public void contained() {
		}

		@Both
		public void composed() {
		}

		@Job(atMost = "7s")
		@DistributedLock("g")
		public void mixed() {
		}

	}

	@DistributedLock("x")
	@DistributedLock("y")
	public static class OnTypeTwice {

		public void open() {
		}

	}

	public static class SubOfTypeTwice extends OnTypeTwice {

		public void more() {
		}

	}

	interface ContractTwice {

		@DistributedLock("p")
		@DistributedLock("q")
		void work();

	}

	public static class ContractTwiceImplementation implements ContractTwice {

		@Override
		public void work() {
		}

	}

	public static class NearestOfThree extends Base implements Contract {

		@Override
		@DistributedLock("own")
		public void work() {
		}

	}

	public static class Composed {

		@Job(atMost = "7s")
		public void work() {
		}

	}

	public static class Unaware {

		public void work() {
		}

	}

	interface Declaring {

		@DistributedLock
		void work();

	}

	static class Aware extends Unaware implements Declaring {

	}

	@DistributedLock("distant")
	interface Root {

		void work();

	}

	interface Branch extends Root {

		void other();

	}

	static class Distant implements Branch {

		@Override
		public void work() {
		}

		@Override
		public void other() {
		}

	}

}
