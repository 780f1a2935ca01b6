package com.example.orders;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.annotation.DistributedLock;

import org.springframework.stereotype.Service;

@Service
public class Orders {

	private final LocalLocks locks;

	Orders(LocalLocks locks) {
		this.locks = locks;
	}

	@DistributedLock(name = "orders", key = "#id")
	public String ship(String id) {
		return "shipped under " + this.locks.current().get(0).key();
	}

}
