package com.example.orders;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.test.AutoConfigureTestLocks;
import io.github.watchdoglock.test.TestLocks;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@SpringBootTest(properties = "watchdog-lock.locks.orders.wait-time=10ms")
@AutoConfigureTestLocks
class OrdersTests {

	@Autowired
	private Orders orders;

	@Autowired
	private TestLocks locks;

	@Test
	void orderIsShippedUnderItsLock() {
		assertThat(this.orders.ship("1")).isEqualTo("shipped under orders:1");
	}

	@Test
	void shipFailsWhenOtherInstanceHoldsOrder() {
		this.locks.holdElsewhere(LockKey.of("orders", "2"));
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.orders.ship("2"));
	}

}
