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

package io.github.watchdoglock.benchmarks.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;

/**
 * JSON with a line for each value or list of values, so that a change of results can be
 * read. Numbers are rounded to five digits.
 */
final class JsonText {

	private static final MathContext DIGITS = new MathContext(5);

	private final StringBuilder text = new StringBuilder();

	private JsonText() {
	}

	static String of(Map<String, ?> content) {
		JsonText json = new JsonText();
		json.write(content, "\n");
		return json.text.append('\n').toString();
	}

	private void write(Object value, String line) {
		if (value instanceof Map<?, ?> map) {
			writeMap(map, line);
		}
		else if (value instanceof Collection<?> list) {
			writeList(list, line);
		}
		else if (value instanceof Number number) {
			this.text.append(new BigDecimal(number.toString()).round(DIGITS).stripTrailingZeros().toPlainString());
		}
		else {
			writeText(String.valueOf(value));
		}
	}

	private void writeMap(Map<?, ?> map, String line) {
		String separator = "{" + line + "  ";
		for (Map.Entry<?, ?> entry : map.entrySet()) {
			this.text.append(separator);
			writeText(String.valueOf(entry.getKey()));
			this.text.append(": ");
			write(entry.getValue(), line + "  ");
			separator = "," + line + "  ";
		}
		this.text.append(map.isEmpty() ? "{}" : line + "}");
	}

	private void writeList(Collection<?> list, String line) {
		boolean simple = list.stream().noneMatch(Map.class::isInstance);
		String inner = line + "  ";
		this.text.append('[');
		for (Iterator<?> values = list.iterator(); values.hasNext();) {
			this.text.append(simple ? "" : inner);
			write(values.next(), inner);
			this.text.append(values.hasNext() ? "," : "").append((simple && values.hasNext()) ? " " : "");
		}
		this.text.append((simple || list.isEmpty()) ? "" : line).append(']');
	}

	private void writeText(String value) {
		this.text.append('"');
		value.chars().forEach((c) -> {
			if (c == '"' || c == '\\') {
				this.text.append('\\').append((char) c);
			}
			else if (c < ' ') {
				this.text.append(String.format("\\u%04x", c));
			}
			else {
				this.text.append((char) c);
			}
		});
		this.text.append('"');
	}

}
