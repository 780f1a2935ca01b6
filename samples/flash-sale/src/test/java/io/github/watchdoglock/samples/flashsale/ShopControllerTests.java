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

package io.github.watchdoglock.samples.flashsale;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.LockStoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willThrow;

/**
 * Tests for {@link ShopController} and {@link ShopErrors}.
 */
@WebMvcTest(ShopController.class)
class ShopControllerTests {

	private static final LockKey KEY = LockKey.of("flash-sale", "phone");

	@Autowired
	private MockMvcTester mvc;

	@MockitoBean
	private Shop shop;

	@MockitoBean
	private SlowShop slowShop;

	@MockitoBean
	private SalesReport report;

	@MockitoBean
	private SalesExport export;

	@Test
	void saleIsLockedUnlessRequestDisablesLock() {
		assertThat(this.mvc.post().uri("/buy/phone")).hasStatusOk();
		then(this.shop).should().buy("phone");
		then(this.shop).shouldHaveNoMoreInteractions();
		assertThat(this.mvc.post().uri("/buy/phone?locked=false")).hasStatusOk();
		then(this.shop).should().buyUnlocked("phone");
		then(this.shop).shouldHaveNoMoreInteractions();
	}

	@Test
	void slowSaleUsesTheRequestedLock() throws InterruptedException {
		assertThat(this.mvc.post().uri("/buy-slowly/phone")).hasStatusOk();
		then(this.slowShop).should().buy("phone");
		assertThat(this.mvc.post().uri("/buy-slowly/phone?lock=PLAIN")).hasStatusOk();
		then(this.slowShop).should().buyWithPlainLease("phone");
		assertThat(this.mvc.post().uri("/buy-slowly/phone?lock=FENCED")).hasStatusOk();
		then(this.slowShop).should().buyFenced("phone");
	}

	@Test
	void soldOutArticleIsAnsweredWithConflict() {
		willThrow(new SoldOutException("phone")).given(this.shop).buy("phone");
		assertThat(this.mvc.post().uri("/buy/phone")).hasStatus(HttpStatus.CONFLICT)
			.bodyJson()
			.extractingPath("$.detail")
			.isEqualTo("'phone' is sold out");
	}

	@Test
	void unknownArticleIsAnsweredWithNotFound() {
		willThrow(new UnknownSkuException("phone")).given(this.shop).buy("phone");
		given(this.shop.level("phone")).willThrow(new UnknownSkuException("phone"));
		assertThat(this.mvc.post().uri("/buy/phone")).hasStatus(HttpStatus.NOT_FOUND);
		assertThat(this.mvc.get().uri("/stock/phone")).hasStatus(HttpStatus.NOT_FOUND);
	}

	static Stream<RuntimeException> failuresOfLocks() {
		return Stream.of(new LockNotAcquiredException(KEY, Duration.ofSeconds(10), null, null),
				new LockLostException(new LockLoss(KEY, 7, LockLoss.Reason.OVERTAKEN)),
				new LockStoreException("Redis did not answer", null), new LockServiceClosedException(KEY));
	}

	@ParameterizedTest
	@MethodSource("failuresOfLocks")
	void lockFailureIsAnsweredWithRetryAfter(RuntimeException failure) {
		willThrow(failure).given(this.shop).buy(any());
		assertThat(this.mvc.post().uri("/buy/phone")).hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
			.hasHeader(HttpHeaders.RETRY_AFTER, "1");
	}

	@Test
	void restockSetsStockAndReturnsLevel() {
		given(this.shop.level("phone")).willReturn(new StockLevel("phone", 7, 0));
		assertThat(this.mvc.post().uri("/stock/phone?quantity=7")).hasStatusOk()
			.bodyJson()
			.isStrictlyEqualTo("{\"sku\":\"phone\",\"stock\":7,\"sold\":0}");
		then(this.shop).should().restock("phone", 7);
		assertThat(this.mvc.get().uri("/stock/phone")).hasStatusOk();
	}

	@Test
	void reportReturnsNumberOfSoldArticles() throws InterruptedException {
		given(this.report.write(Duration.ofSeconds(2))).willReturn(42L);
		assertThat(this.mvc.post().uri("/report?seconds=2")).hasStatusOk()
			.bodyJson()
			.isStrictlyEqualTo("{\"sold\":42}");
	}

	@Test
	void exportReturnsLevelOfEachArticle() throws InterruptedException {
		given(this.export.write(Duration.ofSeconds(2))).willReturn(List.of(new StockLevel("phone", 7, 3)));
		assertThat(this.mvc.post().uri("/export?seconds=2")).hasStatusOk()
			.bodyJson()
			.isStrictlyEqualTo("[{\"sku\":\"phone\",\"stock\":7,\"sold\":3}]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/stock/phone", "/stock/phone?quantity=-1", "/stock/phone?quantity=x",
			"/stock/a,b?quantity=1", "/buy/a,b", "/buy/phone?locked=x", "/buy-slowly/a,b", "/buy-slowly/phone?lock=x",
			"/report", "/report?seconds=0", "/report?seconds=301", "/export", "/export?seconds=0" })
	void invalidRequestIsAnsweredWithBadRequest(String uri) {
		assertThat(this.mvc.post().uri(uri)).hasStatus(HttpStatus.BAD_REQUEST);
	}

}
