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

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.annotation.LeaderOnly;
import io.github.watchdoglock.interceptor.key.LockExpressionParser;
import io.github.watchdoglock.interceptor.lock.RoleTerms;

import org.springframework.aop.ClassFilter;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;

/**
 * The specifications of methods' locks, translated once from their annotations.
 * Thread-safe.
 * <p>
 * While the context is being built, it can already be asked whether a method is locked.
 * The specification needs the defaults, which are not looked up before the first
 * specification is translated.
 */
public final class LockSpecSource implements AopInfrastructureBean {

	private final LockCandidates candidates = new LockCandidates();

	private final Map<MethodClassKey, List<DeclaredAnnotation>> annotations = new ConcurrentHashMap<>();

	private final Map<MethodClassKey, LockedMethod> methods = new ConcurrentHashMap<>();

	private final LockedMethodReader reader;

	/**
	 * Create a source.
	 * @param defaults the values for attributes that are not set, by the lock's name;
	 * called when the first locked method is translated
	 * @param placeholders resolves placeholders, and fails if one cannot be resolved
	 * @param beanFactory the beans for key expressions
	 * @param roles the terms of this instance
	 */
	public LockSpecSource(Function<String, LockDefaults> defaults, StringValueResolver placeholders,
			BeanFactory beanFactory, RoleTerms roles) {
		this.reader = new LockedMethodReader(defaults, placeholders, new LockExpressionParser(beanFactory), roles);
	}

	/**
	 * Return a pointcut for all locked methods.
	 * @return the pointcut
	 */
	public Pointcut pointcut() {
		return new LockPointcut(this);
	}

	/**
	 * Return whether any method that was read so far has a fenced lock.
	 * @return whether the fence is used
	 */
	public boolean isAnyFenced() {
		return this.methods.values().stream().anyMatch(LockedMethod::isFenced);
	}

	boolean mayBeLocked(Class<?> type) {
		return this.candidates.contains(type);
	}

	/**
	 * Return the class of an object whose method is called: its own class, or that of its
	 * JDK proxy if only the proxy has the method or its annotation.
	 * @param method the method
	 * @param target the object
	 * @return the class
	 */
	public Class<?> targetClass(Method method, Object target) {
		Class<?> type = AopProxyUtils.ultimateTargetClass(target);
		if (!Proxy.isProxyClass(target.getClass())
				|| (method.getDeclaringClass().isAssignableFrom(type) && isLocked(method, type))) {
			return type;
		}
		return target.getClass();
	}

	boolean isLocked(Method method, Class<?> targetClass) {
		return !find(method, targetClass).isEmpty();
	}

	/**
	 * Return the specification of a locked method.
	 * @param method the method
	 * @param targetClass the class of the objects that have it
	 * @return the locks that its calls need
	 */
	public LockedMethod lockedMethod(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		LockedMethod locked = this.methods.get(key);
		if (locked == null) {
			Class<?> type = userClass(method, targetClass);
			locked = this.reader.read(find(method, targetClass), AopUtils.getMostSpecificMethod(method, type), type);
			this.methods.put(key, locked);
		}
		return locked;
	}

	/* The first annotation of a locked method. */
	DeclaredAnnotation annotation(Method method, Class<?> targetClass) {
		return find(method, targetClass).get(0);
	}

	/* The annotation of its role, if it has one, before those of its locks. */
	private List<DeclaredAnnotation> find(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		List<DeclaredAnnotation> found = this.annotations.get(key);
		if (found == null) {
			Class<?> type = userClass(method, targetClass);
			found = new ArrayList<>();
			if (!isOfBean(method, type)) {
				found.addAll(LockAnnotations.find(LeaderOnly.class, method, type));
			}
			found.addAll(LockAnnotations.find(DistributedLock.class, method, type));
			this.annotations.put(key, found);
		}
		return found;
	}

	/* The annotation applies to a bean with a lifecycle as a whole. */
	private static boolean isOfBean(Method method, Class<?> type) {
		return Lifecycle.class.isAssignableFrom(type) || MergedAnnotations.from(method).isPresent(Bean.class);
	}

	/*
	 * The class in the source code; for a JDK proxy, such as a repository, an interface.
	 */
	private static Class<?> userClass(Method method, Class<?> targetClass) {
		Class<?> type = ClassUtils.getUserClass(targetClass);
		return Proxy.isProxyClass(type) ? interfaceOf(type, method) : type;
	}

	/* The most specific interface, if several have the method. */
	private static Class<?> interfaceOf(Class<?> proxy, Method method) {
		Class<?> found = proxy;
		for (Class<?> candidate : proxy.getInterfaces()) {
			if (method.getDeclaringClass().isAssignableFrom(candidate)
					&& (found == proxy || found.isAssignableFrom(candidate))) {
				found = candidate;
			}
		}
		return found;
	}

	/**
	 * A pointcut that asks a source.
	 */
	static final class LockPointcut extends StaticMethodMatcherPointcut {

		private final LockSpecSource source;

		LockPointcut(LockSpecSource source) {
			this.source = source;
			ClassFilter candidates = source::mayBeLocked;
			setClassFilter(candidates);
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			return this.source.isLocked(method, targetClass);
		}

	}

}
