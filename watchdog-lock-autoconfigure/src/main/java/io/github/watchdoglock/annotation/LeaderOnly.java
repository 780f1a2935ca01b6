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
 * A method or a bean that only the leader of a role runs. The annotation makes this
 * instance a candidate for the role, from the start of the application.
 * <p>
 * On a method: the method runs if this instance leads. Otherwise it does not run, and the
 * call returns at once, with the result of
 * {@link io.github.watchdoglock.OnContention#SKIP}. If the term is resigned while the
 * method runs, no other instance leads before the method has ended. Calls that do not go
 * through the Spring proxy (from within the same object) are not checked. On a method
 * that returns a primitive, the annotation fails at startup.
 * <p>
 * On a bean that is a {@code org.springframework.context.Lifecycle}, on its class or its
 * {@code @Bean} method: the bean is started when the term begins, not with the context,
 * and stopped with the term. Its work must have ended when its {@code stop} returns. On
 * another type, the annotation applies to the public methods that the type and its
 * subclasses declare; the annotation of a method takes precedence.
 * <p>
 * For example: <pre>{@code @Scheduled(fixedDelay = 1_000) @LeaderOnly("reports")
 * public void poll() {
 *     report();
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface LeaderOnly {

	/**
	 * The name of the role, <code>${placeholders}</code> allowed.
	 * @return the name
	 */
	String value();

	/**
	 * The effect of the end of a term on a method that runs. {@link OnLoss#INTERRUPT}
	 * interrupts the method, also if the term is resigned. {@link OnLoss#FAIL} throws
	 * instead of returning a result if the term was lost. Unless this is
	 * {@link OnLoss#REPORT}, a transaction that is still open when the term was lost is
	 * rolled back.
	 * @return the policy
	 */
	OnLoss onLoss() default OnLoss.DEFAULT;

}
