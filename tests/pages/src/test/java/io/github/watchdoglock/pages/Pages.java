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

package io.github.watchdoglock.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * All pages of the documentation.
 */
public final class Pages {

	private static final Set<String> NO_PAGES = Set.of(".git", "node_modules", "target");

	private final Path root;

	private final Map<String, Page> pages = new TreeMap<>();

	private Pages(Path root) {
		this.root = root;
	}

	/**
	 * Return the pages below a folder.
	 * @param root the root of the project
	 * @return the current pages
	 */
	public static Pages below(Path root) {
		Pages pages = new Pages(root);
		try {
			Files.walkFileTree(root, pages.new Search());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return pages;
	}

	/**
	 * Return the pages of this project.
	 * @return the current pages
	 */
	public static Pages ofThisProject() {
		return below(Path.of("../..").toAbsolutePath().normalize());
	}

	/**
	 * Return all pages.
	 * @return in the order of their names
	 */
	public Collection<Page> all() {
		return this.pages.values();
	}

	/**
	 * Return their folder.
	 * @return the root of the project
	 */
	public Path root() {
		return this.root;
	}

	@Nullable Page find(String name) {
		return this.pages.get(name);
	}

	/**
	 * A search for pages that skips the folders of builds.
	 */
	private final class Search extends SimpleFileVisitor<Path> {

		@Override
		public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
			return NO_PAGES.contains(folder.getFileName().toString()) ? FileVisitResult.SKIP_SUBTREE
					: FileVisitResult.CONTINUE;
		}

		@Override
		public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
			if (file.toString().endsWith(".md")) {
				String name = Pages.this.root.relativize(file).toString().replace('\\', '/');
				Pages.this.pages.put(name, Page.of(name, Files.readString(file)));
			}
			return FileVisitResult.CONTINUE;
		}

	}

}
