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

package io.github.watchdoglock.fault;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.util.function.ThrowingSupplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class FaultProxyTests {

	private static final Duration QUIET = Duration.ofMillis(200);

	private final Echo echo = new Echo();

	private final FaultProxy proxy = FaultProxy.to(this.echo.socket.getLocalPort());

	private final Client client = new Client(this.proxy.port());

	private static boolean second(List<String> words) {
		return words.contains("second");
	}

	@AfterEach
	void close() throws IOException {
		this.client.close();
		this.proxy.close();
		this.echo.close();
	}

	@Test
	void delayedMessagesArriveLateAndInOrder() throws Exception {
		this.proxy.delay(Direction.TO_SERVER, QUIET);
		this.proxy.delay(Direction.TO_CLIENT, QUIET);
		long start = System.nanoTime();
		this.client.send("first", "second", "third");
		assertThat(List.of(this.client.answer(), this.client.answer(), this.client.answer())).containsExactly("first",
				"second", "third");
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(QUIET.multipliedBy(2),
				QUIET.multipliedBy(10));
		assertThat(this.proxy.effects(Fault.DELAY)).isEqualTo(6);
		this.proxy.delay(Direction.TO_SERVER, Duration.ZERO);
		this.proxy.delay(Direction.TO_CLIENT, Duration.ZERO);
		this.client.send("fourth");
		this.client.answer();
		assertThat(this.proxy.effects(Fault.DELAY)).isEqualTo(6);
	}

	@Test
	void stalledCommandsAreDeliveredAfterResume() throws Exception {
		this.proxy.stall(Direction.TO_SERVER);
		this.client.send("first", "second");
		this.client.hearsNothing();
		assertThat(this.echo.heard).isEmpty();
		assertThat(this.proxy.effects(Fault.STALL)).isEqualTo(2);
		this.proxy.resume(Direction.TO_SERVER);
		assertThat(this.client.answer()).isEqualTo("first");
		assertThat(this.client.answer()).isEqualTo("second");
	}

	@Test
	void stalledAnswersAreKeptWhileCommandsReachServer() throws Exception {
		this.proxy.stall(Direction.TO_CLIENT);
		this.client.send("first");
		assertThat(this.echo.heard.poll(5, TimeUnit.SECONDS)).isEqualTo("first");
		this.client.hearsNothing();
		this.proxy.resume(Direction.TO_CLIENT);
		assertThat(this.client.answer()).isEqualTo("first");
	}

	@Test
	void stalledCommandsReachServerAfterClientDisconnects() throws Exception {
		this.proxy.stall(Direction.TO_SERVER);
		this.client.send("first");
		await().untilAsserted(() -> assertThat(this.proxy.effects(Fault.STALL)).isOne());
		this.client.close();
		assertThat(this.echo.heard.poll(QUIET.toMillis(), TimeUnit.MILLISECONDS)).isNull();
		this.proxy.resume(Direction.TO_SERVER);
		assertThat(this.echo.heard.poll(5, TimeUnit.SECONDS)).isEqualTo("first");
	}

	@Test
	void replicationProxyForwardsDataOtherThanAnswers() throws Exception {
		try (FaultProxy replication = FaultProxy.ofReplication(this.echo.socket.getLocalPort())) {
			Client replica = new Client(replication.port());
			replica.send("*3", "$7");
			assertThat(List.of(replica.answer(), replica.answer())).containsExactly("*3", "$7");
			replication.stall(Direction.values());
			replica.send("late");
			replica.hearsNothing();
			replication.resume(Direction.values());
			assertThat(replica.answer()).isEqualTo("late");
		}
	}

	@Test
	void connectionIsCutAfterIdleTimeout() throws Exception {
		this.proxy.cutIdle(QUIET);
		this.client.send("first");
		assertThat(this.client.answer()).isEqualTo("first");
		assertThat(this.client.answer()).isNull();
		assertThat(this.proxy.effects(Fault.CUT)).isOne();
	}

	@Test
	void swallowedConnectionStaysOpenAndNewConnectionsWork() throws Exception {
		this.client.send("before");
		this.client.answer();
		assertThat(this.proxy.swallow(Traffic.MESSAGES)).isZero();
		assertThat(this.proxy.swallow(Traffic.COMMANDS)).isOne();
		this.client.send("first");
		this.client.hearsNothing();
		Client other = new Client(this.proxy.port());
		other.send("other");
		assertThat(other.answer()).isEqualTo("other");
		assertThat(this.proxy.effects(Fault.SWALLOW)).isOne();
		assertThat(this.proxy.accepted()).isEqualTo(2);
		assertThat(this.proxy.swallow(Traffic.COMMANDS)).isOne();
	}

	@Test
	void connectionIsResetWhenAnswerIsDropped() throws Exception {
		this.proxy.dropNextAnswer(FaultProxyTests::second, Afterwards.RESET);
		this.client.send("first");
		assertThat(this.client.answer()).isEqualTo("first");
		assertThat(this.proxy.isPlanDone()).isFalse();
		this.client.send("second");
		this.client.isReset();
		assertThat(this.echo.heard).containsExactly("first", "second");
		assertThat(this.proxy.effects(Fault.DROP_ANSWER)).isOne();
		assertThat(this.proxy.isPlanDone()).isTrue();
	}

	@RepeatedTest(10)
	void openConnectionIsSilentAfterDroppedAnswer() throws Exception {
		this.proxy.dropNextAnswer(FaultProxyTests::second, Afterwards.SILENCE);
		this.client.send("first", "second", "third");
		assertThat(this.client.answer()).isEqualTo("first");
		this.client.hearsNothing();
		assertThat(this.echo.heard).containsExactly("first", "second", "third");
	}

	@Test
	void delayedAnswerDelaysOnlyLaterAnswers() throws Exception {
		this.proxy.delayNextAnswer(FaultProxyTests::second, QUIET.multipliedBy(2));
		this.client.send("first", "second", "third");
		assertThat(this.client.answer()).isEqualTo("first");
		this.client.hearsNothing();
		assertThat(this.client.answer()).isEqualTo("second");
		assertThat(this.client.answer()).isEqualTo("third");
		assertThat(this.proxy.effects(Fault.DELAY_ANSWER)).isOne();
	}

	@Test
	void commandSentTwiceIsAnsweredOnce() throws Exception {
		this.proxy.sendNextTwice(FaultProxyTests::second);
		this.client.send("first", "second", "third");
		assertThat(List.of(this.client.answer(), this.client.answer(), this.client.answer())).containsExactly("first",
				"second", "third");
		assertThat(this.echo.heard).containsExactly("first", "second", "second", "third");
		assertThat(this.proxy.effects(Fault.SEND_TWICE)).isOne();
	}

	@RepeatedTest(10)
	void cutConnectionEndsWithoutReset() throws Exception {
		this.client.send("first");
		this.client.answer();
		this.proxy.cut();
		assertThat(this.client.answer()).isNull();
		assertThat(this.proxy.effects(Fault.CUT)).isOne();
	}

	@RepeatedTest(10)
	void clientGetsConnectionResetAfterReset() throws Exception {
		this.client.send("first");
		this.client.answer();
		this.proxy.reset();
		this.client.isReset();
		assertThat(this.proxy.effects(Fault.RESET)).isOne();
	}

	@Test
	void newConnectionsAreRefusedWhileOpenConnectionsWork() throws Exception {
		this.client.send("first");
		this.client.answer();
		this.proxy.refuse(true);
		Client refused = new Client(this.proxy.port());
		refused.isReset();
		this.client.send("second");
		assertThat(this.client.answer()).isEqualTo("second");
		assertThat(this.proxy.effects(Fault.REFUSE)).isOne();
		this.proxy.refuse(false);
		Client allowed = new Client(this.proxy.port());
		allowed.send("third");
		assertThat(allowed.answer()).isEqualTo("third");
	}

	/* A client that speaks in lines, which is a protocol of Redis as well. */
	private static final class Client {

		private final Socket socket;

		private final BufferedReader answers;

		Client(int port) {
			this.socket = ThrowingSupplier.of(() -> new Socket(InetAddress.getLoopbackAddress(), port)).get();
			InputStream in = ThrowingSupplier.of(this.socket::getInputStream).get();
			this.answers = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
		}

		void send(String... lines) throws IOException {
			String text = String.join("\r\n", lines) + "\r\n";
			this.socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
		}

		String answer() throws IOException {
			this.socket.setSoTimeout(10_000);
			return this.answers.readLine();
		}

		void hearsNothing() throws IOException {
			this.socket.setSoTimeout((int) QUIET.toMillis());
			assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(this.answers::readLine);
		}

		void isReset() throws IOException {
			this.socket.setSoTimeout(10_000);
			assertThatExceptionOfType(SocketException.class).isThrownBy(this.answers::readLine)
				.withMessageContaining("reset");
		}

		void close() throws IOException {
			this.socket.close();
		}

	}

	/* A server that answers each line with the same line. */
	private static final class Echo {

		private final ServerSocket socket;

		private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

		Echo() {
			this.socket = ThrowingSupplier.of(() -> new ServerSocket(0, 50, InetAddress.getLoopbackAddress())).get();
			FaultProxy.thread(this::accept).start();
		}

		private void accept() {
			try {
				while (true) {
					Socket accepted = this.socket.accept();
					FaultProxy.thread(() -> answer(accepted)).start();
				}
			}
			catch (IOException ex) {
				// The socket was closed.
			}
		}

		private void answer(Socket accepted) {
			try (accepted) {
				BufferedReader lines = new BufferedReader(
						new InputStreamReader(accepted.getInputStream(), StandardCharsets.UTF_8));
				for (String line = lines.readLine(); line != null; line = lines.readLine()) {
					this.heard.add(line);
					accepted.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
				}
			}
			catch (IOException ex) {
				// The connection was reset.
			}
		}

		void close() throws IOException {
			this.socket.close();
		}

	}

}
