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

package io.github.watchdoglock.interceptor;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.github.watchdoglock.annotation.DistributedLock;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;

/**
 * What each method's annotations ask for, translated once. Thread-safe.
 * <p>
 * Whether a method is locked can be asked while the context is being built; what it asks
 * for needs the defaults, and only then are they looked up.
 */
public final class LockSpecSource {

	private final Map<MethodClassKey, List<DistributedLock>> annotations = new ConcurrentHashMap<>();

	private final Map<MethodClassKey, LockedMethod> methods = new ConcurrentHashMap<>();

	private final LockSpecReader reader;

	/**
	 * Create a source.
	 * @param defaults what counts where an annotation is silent, by the lock's name;
	 * asked once the first locked method is translated
	 * @param placeholders resolves placeholders, and fails where one can't be resolved
	 * @param beanFactory where key expressions find beans
	 */
	public LockSpecSource(Function<String, LockDefaults> defaults, StringValueResolver placeholders,
			BeanFactory beanFactory) {
		this.reader = new LockSpecReader(defaults, placeholders, new KeyEvaluation(beanFactory));
	}

	boolean mayBeLocked(Class<?> type) {
		return AnnotationUtils.isCandidateClass(type, DistributedLock.class);
	}

	boolean isLocked(Method method, Class<?> targetClass) {
		return !find(method, targetClass).isEmpty();
	}

	/* What is said of a method that is locked. */
	LockedMethod lockedMethod(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		LockedMethod locked = this.methods.get(key);
		if (locked == null) {
			Class<?> userClass = ClassUtils.getUserClass(targetClass);
			Method specific = AopUtils.getMostSpecificMethod(method, userClass);
			locked = this.reader.read(find(method, targetClass), specific, userClass);
			this.methods.put(key, locked);
		}
		return locked;
	}

	private List<DistributedLock> find(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		List<DistributedLock> found = this.annotations.get(key);
		if (found == null) {
			found = LockAnnotations.find(method, ClassUtils.getUserClass(targetClass));
			this.annotations.put(key, found);
		}
		return found;
	}

}
