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

package io.github.watchdoglock.autoconfigure;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.listener.Instrumentation;
import io.github.watchdoglock.metrics.LockHoldObservationConvention;
import io.github.watchdoglock.metrics.LockObservations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationTextPublisher;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationRegistryCustomizer;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.NoopTracerAutoConfiguration;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration;
import org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ObservationUse}.
 */
class ObservationUseTests {

	private final ApplicationContextRunner actuator = LockContexts
		.local(ObservationAutoConfiguration.class, MetricsAutoConfiguration.class)
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new);

	private static boolean isObserved(AssertableApplicationContext context) {
		assertThat(context).hasNotFailed();
		return context.getBean(LockObservations.class).calling(LockKey.of("orders")) != Instrumentation.Call.UNOBSERVED;
	}

	@Test
	void locksAreNotObservedForMetersAlone() {
		this.actuator.run((context) -> {
			assertThat(context.getBeansOfType(ObservationHandler.class)).as("handlers").isNotEmpty();
			assertThat(isObserved(context)).isFalse();
		});
	}

	@Test
	void locksAreNotObservedForNoopTracer() {
		LockContexts
			.local(ObservationAutoConfiguration.class, MetricsAutoConfiguration.class,
					MicrometerTracingAutoConfiguration.class, NoopTracerAutoConfiguration.class)
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> {
				assertThat(context.getBean(Tracer.class)).isSameAs(Tracer.NOOP);
				assertThat(context).hasSingleBean(DefaultTracingObservationHandler.class);
				assertThat(isObserved(context)).isFalse();
			});
	}

	@Test
	void locksAreObservedForTracer() {
		LockContexts
			.local(ObservationAutoConfiguration.class, MetricsAutoConfiguration.class,
					MicrometerTracingAutoConfiguration.class, OpenTelemetrySdkAutoConfiguration.class,
					OpenTelemetryTracingAutoConfiguration.class)
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(isObserved(context)).isTrue());
	}

	static Stream<Arguments> beansOfApplication() {
		return Stream.of(Arguments.of("a handler that logs", ObservationTextPublisher.class),
				Arguments.of("a tracing handler of its own", OwnTracing.class),
				Arguments.of("a registry of its own", OwnRegistry.class),
				Arguments.of("a customizer", Customizer.class), Arguments.of("a convention", Convention.class));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("beansOfApplication")
	void locksAreObservedWhenApplicationDefinesBean(String what, Class<?> bean) {
		this.actuator.withUserConfiguration(bean).run((context) -> assertThat(isObserved(context)).isTrue());
	}

	@ParameterizedTest
	@CsvSource({ "on, true", "true, true", "off, false", "false, false" })
	void observationsPropertyOverridesDetection(String value, boolean observed) {
		this.actuator.withBean(ObservationTextPublisher.class)
			.withPropertyValues("watchdog-lock.observations=" + value)
			.run((context) -> assertThat(isObserved(context)).isEqualTo(observed));
		this.actuator.withPropertyValues("watchdog-lock.observations=" + value)
			.run((context) -> assertThat(isObserved(context)).isEqualTo(observed));
	}

	@Test
	void observationUseIsDetectedWithLazyBeans() {
		ApplicationContextRunner lazy = this.actuator.withInitializer(
				(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()));
		lazy.run((context) -> {
			context.getBean(LockService.class).acquire(LockRequest.of("orders")).close();
			assertThat(isObserved(context)).isFalse();
		});
		lazy.withBean(ObservationTextPublisher.class).run((context) -> assertThat(isObserved(context)).isTrue());
	}

	/* As in a native image: bean definitions are generated code. */
	@Test
	@Tag("slow")
	@CompileWithForkedClassLoader
	void locksAreNotObservedForMetersAloneAheadOfTime() {
		assertThat(isObservedAheadOfTime(SimpleMetricsExportAutoConfiguration.class)).isFalse();
	}

	@Test
	@Tag("slow")
	@CompileWithForkedClassLoader
	void locksAreObservedForHandlerAheadOfTime() {
		assertThat(isObservedAheadOfTime(ObservationTextPublisher.class)).isTrue();
	}

	@SuppressWarnings("unchecked")
	private static boolean isObservedAheadOfTime(Class<?> bean) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.register(bean, MetricsAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class,
				ObservationAutoConfiguration.class);
		context.register(LockContexts.ours());
		local(context);
		TestGenerationContext generated = new TestGenerationContext();
		new ApplicationContextAotGenerator().processAheadOfTime(context, generated);
		generated.writeGeneratedContent();
		AtomicBoolean observed = new AtomicBoolean();
		TestCompiler.forSystem().with(generated).compile((compiled) -> {
			try (GenericApplicationContext fresh = new GenericApplicationContext()) {
				local(fresh);
				ApplicationContextInitializer<GenericApplicationContext> initializer = compiled
					.getInstance(ApplicationContextInitializer.class);
				initializer.initialize(fresh);
				fresh.refresh();
				observed.set(isObserved(AssertableApplicationContext.get(() -> fresh)));
			}
		});
		return observed.get();
	}

	private static void local(ConfigurableApplicationContext context) {
		TestPropertyValues.of("watchdog-lock.store=local").applyTo(context);
	}

	static class OwnTracing {

		@Bean
		DefaultTracingObservationHandler own() {
			return new DefaultTracingObservationHandler(Tracer.NOOP);
		}

	}

	static class OwnRegistry {

		@Bean
		ObservationRegistry own() {
			ObservationRegistry registry = ObservationRegistry.create();
			registry.observationConfig().observationHandler(new ObservationTextPublisher());
			return registry;
		}

	}

	static class Customizer {

		@Bean
		ObservationRegistryCustomizer<ObservationRegistry> customizer() {
			return (registry) -> {
			};
		}

	}

	static class Convention implements LockHoldObservationConvention {

	}

}
