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

package io.github.watchdoglock.benchmarks.worker;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that all JVMs of a run map: for each key who is inside, the last token, and when
 * the last holder left.
 */
public final class ExclusionCells {

	/** How many keys there may be. */
	public static final int KEYS = 256;

	private final MappedByteBuffer buffer;

	private ExclusionCells(MappedByteBuffer buffer) {
		this.buffer = buffer;
	}

	/**
	 * Map a file, and create it where there is none.
	 * @param file the file
	 * @return the cells
	 * @throws IOException if it can't be mapped
	 */
	public static ExclusionCells map(Path file) throws IOException {
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
				StandardOpenOption.WRITE)) {
			return new ExclusionCells(channel.map(MapMode.READ_WRITE, 0, (long) KEYS * ExclusionCell.BYTES));
		}
	}

	/**
	 * Forget everything. Nobody may be inside.
	 */
	public void clear() {
		for (int i = 0; i < this.buffer.capacity(); i++) {
			this.buffer.put(i, (byte) 0);
		}
	}

	/**
	 * What belongs to one key.
	 * @param key its number
	 * @return the cell
	 */
	public ExclusionCell cell(int key) {
		return new ExclusionCell(this.buffer, key * ExclusionCell.BYTES);
	}

}
