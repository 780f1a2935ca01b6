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

package io.github.watchdoglock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.Architectures;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The picture of the layers, as rules.
 */
@AnalyzeClasses(packages = "io.github.watchdoglock", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	private static final String BASE = "io.github.watchdoglock";

	/* Loaded where Reactor is there, and not before. */
	private static final String REACTIVE = ".*\\.(ReactiveLockService|SubscriptionLockService|WatchdogLockReactiveAutoConfiguration"
			+ "|Reactive(Call|Losses|Manner|Method|Request|Results|Subscriptions|Work)).*";

	@ArchTest
	static final ArchRule importsPointDownwards = Architectures.layeredArchitecture()
		.consideringOnlyDependenciesInAnyPackage(BASE + "..")
		.layer("api")
		.definedBy(BASE, BASE + ".annotation")
		.layer("engine")
		.definedBy(BASE + ".engine")
		.layer("redis")
		.definedBy(BASE + ".redis")
		.layer("interceptor")
		.definedBy(BASE + ".interceptor")
		.layer("spring")
		.definedBy(BASE + ".spring")
		.layer("metrics")
		.definedBy(BASE + ".metrics")
		.layer("actuate")
		.definedBy(BASE + ".actuate")
		.layer("autoconfigure")
		.definedBy(BASE + ".autoconfigure")
		.whereLayer("api")
		.mayNotAccessAnyLayer()
		.whereLayer("engine")
		.mayOnlyAccessLayers("api")
		.whereLayer("redis")
		.mayOnlyAccessLayers("api", "engine")
		.whereLayer("interceptor")
		.mayOnlyAccessLayers("api")
		.whereLayer("spring")
		.mayOnlyAccessLayers("api", "engine")
		.whereLayer("metrics")
		.mayOnlyAccessLayers("api", "engine")
		.whereLayer("actuate")
		.mayOnlyAccessLayers("api", "engine")
		.whereLayer("autoconfigure")
		.mayNotBeAccessedByAnyLayer()
		.ensureAllClassesAreContainedInArchitecture();

	@ArchTest
	static final ArchRule packagesHaveNoCycles = slices().matching(BASE + ".(*)..").should().beFreeOfCycles();

	@ArchTest
	static final ArchRule apiSeesTheJdkAlone = ArchRuleDefinition.classes()
		.that()
		.resideInAPackage(BASE)
		.and()
		.haveNameNotMatching(REACTIVE)
		.should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage(BASE, "java..", "org.jspecify..")
		.andShould()
		.onlyDependOnClassesThat()
		.haveNameNotMatching(REACTIVE);

	@ArchTest
	static final ArchRule engineSeesTheJdkAlone = onlySees(BASE + ".engine", BASE, BASE + ".engine", "java..",
			"org.jspecify..");

	@ArchTest
	static final ArchRule interceptorKnowsSpringAlone = onlySees(BASE + ".interceptor", BASE, BASE + ".annotation",
			BASE + ".interceptor", "java..", "org.jspecify..", "org.springframework.aop..", "org.springframework.aot..",
			"org.springframework.beans..", "org.springframework.context..", "org.springframework.core..",
			"org.springframework.expression..", "org.springframework.format..", "org.springframework.util..",
			"org.aopalliance..", "org.apache.commons.logging..", "reactor..", "org.reactivestreams..");

	@ArchTest
	static final ArchRule reactorMayBeAbsent = ArchRuleDefinition.noClasses()
		.that()
		.haveNameNotMatching(REACTIVE)
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("reactor..", "org.reactivestreams..");

	@ArchTest
	static final ArchRule metricsKnowMicrometerAlone = onlySees(BASE + ".metrics", BASE, BASE + ".engine",
			BASE + ".metrics", "java..", "org.jspecify..", "io.micrometer..", "org.apache.commons.logging..");

	@ArchTest
	static final ArchRule actuateKnowsTheActuatorAlone = onlySees(BASE + ".actuate", BASE, BASE + ".engine",
			BASE + ".actuate", "java..", "org.jspecify..", "org.springframework.boot.actuate..",
			"org.springframework.boot.health.contributor..", "org.springframework.context", "org.springframework.util");

	@ArchTest
	static final ArchRule autoConfigurationsArePublicAndFinal = ArchRuleDefinition.classes()
		.that()
		.areAnnotatedWith(AutoConfiguration.class)
		.should()
		.bePublic()
		.andShould()
		.haveModifier(JavaModifier.FINAL)
		.andShould()
		.resideInAPackage(BASE + ".autoconfigure");

	@ArchTest
	static final ArchRule beanMethodsArePackagePrivate = ArchRuleDefinition.methods()
		.that()
		.areAnnotatedWith(Bean.class)
		.should()
		.bePackagePrivate();

	@ArchTest
	static final ArchRule beansOfCommonTypesAreNoCandidates = ArchRuleDefinition.methods()
		.that()
		.areAnnotatedWith(Bean.class)
		.and(DescribedPredicate.describe("are default candidates",
				(method) -> method.getAnnotationOfType(Bean.class).defaultCandidate()))
		.should()
		.haveRawReturnType(JavaClass.Predicates.resideInAPackage(BASE + ".."));

	@ArchTest
	static void monitorsAreNotUsed(JavaClasses classes) throws IOException {
		try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
			assertThat(files.filter(Files::isRegularFile)).isNotEmpty()
				.allSatisfy((file) -> assertThat(file).content().doesNotContainPattern("synchronized\\W"));
		}
	}

	@ArchTest
	static void halfOfTheTypesAreHidden(JavaClasses classes) {
		List<JavaClass> types = classes.stream()
			.filter((type) -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
			.toList();
		assertThat(types.stream().filter((type) -> !type.getModifiers().contains(JavaModifier.PUBLIC)).count())
			.isGreaterThanOrEqualTo(types.size() / 2);
	}

	private static ArchRule onlySees(String layer, String... packages) {
		return ArchRuleDefinition.classes()
			.that()
			.resideInAPackage(layer)
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage(packages);
	}

}
