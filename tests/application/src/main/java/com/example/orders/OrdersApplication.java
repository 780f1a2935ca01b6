package com.example.orders;

import java.net.ServerSocket;

import redis.embedded.RedisServer;

import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class OrdersApplication {

	public static void main(String[] args) throws Exception {
		int port;
		try (ServerSocket socket = new ServerSocket(0)) {
			port = socket.getLocalPort();
		}
		RedisServer redis = RedisServer.newRedisServer().port(port).setting("save \"\"").build();
		redis.start();
		try {
			SpringApplication.run(OrdersApplication.class, "--spring.data.redis.port=" + port).close();
		}
		finally {
			redis.stop();
		}
	}

	@Bean
	CommandLineRunner shipping(Orders orders) {
		return (args) -> System.out.println("Order 42 was " + orders.ship("42"));
	}

}
