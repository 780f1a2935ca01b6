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

package io.github.watchdoglock.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Anchor}.
 */
class AnchorTests {

	private static final String METHOD = """
				@Override
				void end(Lease lease) throws IOException {
					if (lease == null) { // no lease, no }
						log("}" + '}' + '"');
					}
					this.lease = null;
				}
			""";

	@TempDir
	private Path sources;

	@BeforeEach
	void createArea() throws IOException {
		Files.createDirectories(this.sources.resolve("engine/wait"));
	}

	private void write(String file, String... members) throws IOException {
		Files.writeString(this.sources.resolve(file), "class A {\n" + String.join("\n", members) + "}\n");
	}

	private String found(String method, String expression) {
		Anchor.Place place = new Anchor("engine", method, expression).find(this.sources);
		return place.file().getFileName() + ": " + place.source().substring(place.start(), place.end());
	}

	@Test
	void methodIsFoundInAnyFileBelowPackage() throws IOException {
		write("engine/A.java", METHOD);
		assertThat(found("end", "this.lease = null;")).isEqualTo("A.java: this.lease = null;");
		write("engine/A.java", "void begin() {\n end(null); this.lease = null; }");
		write("engine/wait/B.java", METHOD);
		assertThat(found("end", "this.lease = null;")).isEqualTo("B.java: this.lease = null;");
	}

	@Test
	void whiteSpaceAndCommentsAreIgnored() throws IOException {
		write("engine/A.java", "void end() {\n\tthis.lease\n\t\t.end( now );\t// late\n\n\tleave(\"//\");\n}");
		assertThat(found("end", "this.lease.end(now); leave(\"//\");")).endsWith("leave(\"//\");");
	}

	@Test
	void partOfIdentifierIsNotMatched() throws IOException {
		write("engine/A.java", "void end() { release(); rerelease(); released(); }");
		assertThat(found("end", "release")).isEqualTo("A.java: release");
	}

	@Test
	void ambiguousPlaceIsRejectedUnlessFileIsNamed() throws IOException {
		write("engine/A.java", METHOD);
		write("engine/B.java", METHOD);
		assertThatIllegalStateException().isThrownBy(() -> found("end", "this.lease = null;"))
			.withMessage("'this.lease = null;' must occur once in engine/end, and occurs at [A.java:7, B.java:7]");
		assertThat(found("B.end", "this.lease = null;")).startsWith("B.java");
	}

	@Test
	void expressionInOtherMethodIsNotFound() throws IOException {
		write("engine/A.java", "void end() {\n\tbegin();\n}", "void begin() {\n\tthis.lease = null;\n}");
		assertThatIllegalStateException().isThrownBy(() -> found("end", "this.lease = null;"))
			.withMessageEndingWith("and occurs at []");
		assertThat(found("begin", "this.lease = null;")).startsWith("A.java");
	}

	@Test
	void constructorsAndInitializersAreFound() throws IOException {
		write("engine/A.java", "\tprivate A(int a) {\n\t\tthis.a = a;\n\t}",
				"\tfinal Runnable end = () -> {\n\t\tb();\n\t};",
				"\tpublic record B(int c) {\n\t\tpublic B {\n\t\t\tc++;\n\t\t}\n\t\tvoid d() { d--; }\n\t}");
		assertThat(found("<init>", "this.a = a;")).endsWith("this.a = a;");
		assertThat(found("<init>", "c++")).endsWith("c++");
		assertThat(found("end", "b();")).endsWith("b();");
		assertThatIllegalStateException().isThrownBy(() -> found("<init>", "d--;"));
	}

}
