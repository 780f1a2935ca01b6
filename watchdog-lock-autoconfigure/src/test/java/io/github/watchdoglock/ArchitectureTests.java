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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
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
import io.github.watchdoglock.support.PageTables;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the package rules of contributing/architecture.md.
 */
@AnalyzeClasses(packages = "io.github.watchdoglock", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	private static final String BASE = "io.github.watchdoglock";

	/* Types that may be loaded only if Reactor is present. */
	private static final String REACTIVE = ".*\\.(ReactiveLockService|SubscriptionLockService|WatchdogLockReactiveAutoConfiguration"
			+ "|Reactive(Call|Losses|ResultHandler|Results|Subscriptions)).*";

	private static final int MAX_AGAINST_THE_ORDER = 8;

	@ArchTest
	static void packageImportsMatchArchitecturePage(JavaClasses classes) throws IOException {
		Map<String, List<String>> page = new LinkedHashMap<>();
		PageTables.of("architecture.md", "package")
			.forEach((row) -> page.put(PageTables.names(row.get(0)).get(0), PageTables.names(row.get(2))));
		List<String> order = List.copyOf(page.keySet());
		page.forEach((from, imports) -> assertThat(order.subList(order.indexOf(from) + 1, order.size())).as(from)
			.containsAll(imports));
		Map<String, Set<String>> code = new TreeMap<>();
		for (JavaClass type : classes) {
			String from = room(type);
			Set<String> imports = code.computeIfAbsent(from, (room) -> new TreeSet<>());
			type.getDirectDependenciesFromSelf()
				.stream()
				.map((dependency) -> dependency.getTargetClass().getBaseComponentType())
				.filter((target) -> target.getPackageName().startsWith(BASE))
				.map(ArchitectureTests::room)
				// All packages may import the last package.
				.filter((room) -> !room.isEmpty() && !room.equals(from) && !room.equals("text"))
				.forEach(imports::add);
		}
		assertThat(code.remove("")).as("the base package").isEmpty();
		code.remove("autoconfigure");
		page.remove("autoconfigure");
		assertThat(code).hasSameSizeAs(page)
			.allSatisfy((room, imports) -> assertThat(imports).as(room)
				.containsExactlyInAnyOrderElementsOf(page.get(room)));
	}

	@ArchTest
	static void engineDependenciesFollowOrderOfArchitecturePage(JavaClasses classes) throws IOException {
		List<String> order = PageTables.of("architecture.md", "types")
			.stream()
			.flatMap((row) -> PageTables.names(row.get(1)).stream())
			.toList();
		Set<String> against = new TreeSet<>();
		Set<String> types = new TreeSet<>();
		for (JavaClass type : classes) {
			if (room(type).equals("engine") && !type.getSimpleName().equals("package-info")) {
				String from = file(type);
				types.add(from);
				type.getDirectDependenciesFromSelf()
					.stream()
					.map((dependency) -> dependency.getTargetClass().getBaseComponentType())
					.filter((target) -> room(target).equals("engine"))
					.map(ArchitectureTests::file)
					.filter((to) -> order.indexOf(to) < order.indexOf(from))
					.forEach((to) -> against.add(from + " to " + to));
			}
		}
		assertThat(order).containsExactlyInAnyOrderElementsOf(types).hasSizeLessThanOrEqualTo(44);
		assertThat(against).hasSizeLessThanOrEqualTo(MAX_AGAINST_THE_ORDER)
			.containsExactlyInAnyOrderElementsOf(PageTables.of("architecture.md", "from")
				.stream()
				.map((row) -> PageTables.names(row.get(0)).get(0) + " to " + PageTables.names(row.get(1)).get(0))
				.toList());
	}

	@ArchTest
	static void filesAreInPackageListedOnArchitecturePage(JavaClasses classes) throws IOException {
		String room = "";
		List<List<String>> rows = PageTables.of("architecture.md", "files");
		assertThat(rows).hasSizeGreaterThan(20);
		for (List<String> row : rows) {
			List<String> named = PageTables.names(row.get(0));
			room = named.isEmpty() ? room : named.get(0);
			Path folder = Path.of("src/main/java", BASE.replace('.', '/'), room.replace('.', '/'));
			assertThat(PageTables.names(row.get(2))).isNotEmpty()
				.allSatisfy((name) -> assertThat(folder.resolve(name + ".java")).exists());
		}
	}

	private static String room(JavaClass type) {
		String name = type.getPackageName();
		return name.startsWith(BASE + ".") ? name.substring(BASE.length() + 1) : "";
	}

	private static String file(JavaClass type) {
		JavaClass outer = type;
		while (outer.getEnclosingClass().isPresent()) {
			outer = outer.getEnclosingClass().get();
		}
		return outer.getSimpleName();
	}

	@ArchTest
	static final ArchRule packagesHaveNoCycles = slices().matching(BASE + ".(*)..").should().beFreeOfCycles();

	@ArchTest
	static final ArchRule apiDependsOnlyOnJdkAndJspecify = ArchRuleDefinition.classes()
		.that()
		.resideInAPackage(BASE)
		.and()
		.haveNameNotMatching(REACTIVE)
		.should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage(BASE, BASE + ".text", "java..", "org.jspecify..")
		.andShould()
		.onlyDependOnClassesThat()
		.haveNameNotMatching(REACTIVE);

	@ArchTest
	static final ArchRule coreDependsOnlyOnJdkAndLogging = ArchRuleDefinition.classes()
		.that()
		.resideInAnyPackage(
				Stream.of("disabled", "engine", "event", "listener", "memory", "repeat", "settings", "store", "time")
					.map((room) -> BASE + "." + room)
					.toArray(String[]::new))
		.should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage(BASE + "..", "java..", "org.jspecify..", "org.apache.commons.logging..");

	/* Boot removes its bridge from the JDK's log with the first context that ends. */
	@ArchTest
	static final ArchRule noClassDependsOnLoggingOfJdk = ArchRuleDefinition.noClasses()
		.should()
		.dependOnClassesThat()
		.haveFullyQualifiedName("java.lang.System$Logger")
		.orShould()
		.dependOnClassesThat()
		.resideInAPackage("java.util.logging..");

	@ArchTest
	static final ArchRule interceptorDependsOnlyOnSpringAndReactor = onlySees(BASE + ".interceptor..", BASE + "..",
			"java..", "org.jspecify..", "org.springframework.aop..", "org.springframework.aot..",
			"org.springframework.beans..", "org.springframework.context..", "org.springframework.core..",
			"org.springframework.expression..", "org.springframework.format..",
			"org.springframework.scheduling.annotation..", "org.springframework.util..", "org.aopalliance..",
			"org.apache.commons.logging..", "reactor..", "org.reactivestreams..");

	@ArchTest
	static final ArchRule onlyReactiveTypesDependOnReactor = ArchRuleDefinition.noClasses()
		.that()
		.haveNameNotMatching(REACTIVE)
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("reactor..", "org.reactivestreams..");

	@ArchTest
	static final ArchRule metricsDependOnlyOnMicrometer = onlySees(BASE + ".metrics", BASE + "..", "java..",
			"org.jspecify..", "io.micrometer..", "org.apache.commons.logging..");

	@ArchTest
	static final ArchRule actuateDependsOnlyOnActuator = onlySees(BASE + ".actuate", BASE + "..", "java..",
			"org.jspecify..", "org.springframework.boot.actuate..", "org.springframework.boot.health.contributor..",
			"org.springframework.context", "org.springframework.lang", "org.springframework.util");

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
	static final ArchRule beansOfForeignTypesAreNotDefaultCandidates = ArchRuleDefinition.methods()
		.that()
		.areAnnotatedWith(Bean.class)
		.and(DescribedPredicate.describe("are default candidates",
				(method) -> method.getAnnotationOfType(Bean.class).defaultCandidate()))
		.should()
		.haveRawReturnType(
				JavaClass.Predicates.resideInAPackage(BASE + "..").or(JavaClass.Predicates.simpleName("LockRegistry")));

	@ArchTest
	static void filesNamedOnArchitecturePageExist(JavaClasses classes) throws IOException {
		Set<String> files;
		try (Stream<Path> all = Files.walk(Path.of("src"))) {
			files = all.map((file) -> file.getFileName().toString().replaceFirst("\\.java$", ""))
				.collect(Collectors.toSet());
		}
		List<String> named = PageTables.names(Files.readString(Path.of("../contributing/architecture.md")))
			.stream()
			.map((name) -> name.endsWith(".lua") ? name : name.replaceFirst("\\..*", ""))
			.filter((name) -> Character.isUpperCase(name.charAt(0)) || name.endsWith(".lua"))
			.distinct()
			.toList();
		assertThat(named).hasSizeGreaterThan(100);
		assertThat(files).containsAll(named);
	}

	@ArchTest
	static void sourcesContainNoSynchronizedKeyword(JavaClasses classes) throws IOException {
		try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
			assertThat(files.filter(Files::isRegularFile)).isNotEmpty()
				.allSatisfy((file) -> assertThat(file).content().doesNotContainPattern("synchronized\\W"));
		}
	}

	@ArchTest
	static void atLeastHalfOfTypesAreNotPublic(JavaClasses classes) {
		List<JavaClass> types = classes.stream()
			.filter((type) -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
			.toList();
		assertThat(types.stream().filter((type) -> !type.getModifiers().contains(JavaModifier.PUBLIC)).count())
			.as("number of types that are not public")
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
