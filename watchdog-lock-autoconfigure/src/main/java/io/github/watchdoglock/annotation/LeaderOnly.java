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

package io.github.watchdoglock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.github.watchdoglock.OnLoss;

/**
 * What only the leader of a role does. This instance stands for the role from its start
 * on.
 * <p>
 * On a method: it runs where this instance leads, and elsewhere returns at once without
 * having run, with what {@link io.github.watchdoglock.OnContention#SKIP} stands for. A
 * term that is given up is not over for others before the method has ended. Calls that do
 * not go through the Spring proxy (from within the same object) are not checked. On a
 * method that returns a primitive it fails at start-up.
 * <p>
 * On a bean that is a {@code org.springframework.context.Lifecycle}, its class or its
 * {@code @Bean} method: it is not started with the context but with the term, and stopped
 * with it; its work has ended when its {@code stop} is done. On another type it counts
 * for the public methods that the type and its subclasses declare; a method's own
 * annotation wins.
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface LeaderOnly {

	/**
	 * The role, <code>${placeholders}</code> allowed.
	 * @return its name
	 */
	String value();

	/**
	 * What happens when the term ends while the method runs. {@link OnLoss#INTERRUPT}
	 * interrupts it, also where the term is given up; {@link OnLoss#FAIL} throws in place
	 * of a result where the term was lost. Unless this is {@link OnLoss#REPORT}, a
	 * transaction that is still open when the term was lost is rolled back.
	 * @return the policy
	 */
	OnLoss onLoss() default OnLoss.DEFAULT;

}
