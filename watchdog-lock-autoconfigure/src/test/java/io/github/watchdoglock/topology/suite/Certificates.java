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

package io.github.watchdoglock.topology.suite;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.jks.JksSslStoreBundle;
import org.springframework.boot.ssl.jks.JksSslStoreDetails;
import org.springframework.util.FileSystemUtils;

/**
 * A certificate for a server and one for a client, of an authority that both trust, and
 * the properties of a bundle for the client. The JDK's keytool creates them.
 */
final class Certificates implements AutoCloseable {

	private static final String PASSWORD = "changeit";

	private final Path directory;

	private Certificates(String validityOfServer, String validityOfClient) {
		try {
			this.directory = Files.createTempDirectory("certificates");
			make("authority", "-0d", "-ext", "bc:c");
			make("server", validityOfServer, "-signer", "authority");
			make("client", validityOfClient, "-signer", "authority");
			KeyStore all = load(this.directory.resolve("all.p12"));
			keep(all, "server");
			keep(all, "client");
			KeyStore trusted = empty();
			trusted.setCertificateEntry("authority", all.getCertificate("authority"));
			store(trusted, trusted());
		}
		catch (IOException | GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static Certificates valid() {
		return new Certificates("-0d", "-0d");
	}

	static Certificates expiredOfServer() {
		return new Certificates("-10d", "-0d");
	}

	static Certificates expiredOfClient() {
		return new Certificates("-0d", "-10d");
	}

	/* Valid for two days. */
	private void make(String name, String from, String... more) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
		command.addAll(List.of("-genkeypair", "-keystore", "all.p12", "-storepass", PASSWORD, "-alias", name, "-keyalg",
				"EC", "-groupname", "secp256r1", "-dname", "CN=" + name, "-ext", "san=ip:127.0.0.1,dns:localhost",
				"-startdate", from, "-validity", "2"));
		command.addAll(List.of(more));
		Process keytool = new ProcessBuilder(command).directory(this.directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(this.directory.resolve("keytool.log").toFile())
			.start();
		if (keytool.onExit().orTimeout(60, TimeUnit.SECONDS).join().exitValue() != 0) {
			throw new IllegalStateException(Files.readString(this.directory.resolve("keytool.log")));
		}
	}

	/* The keys of one side only. */
	private void keep(KeyStore all, String name) throws IOException, GeneralSecurityException {
		KeyStore own = empty();
		own.setKeyEntry(name, all.getKey(name, PASSWORD.toCharArray()), PASSWORD.toCharArray(),
				all.getCertificateChain(name));
		store(own, store(name));
	}

	private Path store(String name) {
		return this.directory.resolve(name + ".p12");
	}

	private Path trusted() {
		return this.directory.resolve("trusted.p12");
	}

	private static KeyStore empty() throws IOException, GeneralSecurityException {
		KeyStore store = KeyStore.getInstance("PKCS12");
		store.load(null, null);
		return store;
	}

	private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(file)) {
			store.load(in, PASSWORD.toCharArray());
		}
		return store;
	}

	private static void store(KeyStore store, Path file) throws IOException, GeneralSecurityException {
		try (OutputStream out = Files.newOutputStream(file)) {
			store.store(out, PASSWORD.toCharArray());
		}
	}

	SSLContext server() {
		return SslBundle.of(new JksSslStoreBundle(details(store("server")), details(trusted()))).createSslContext();
	}

	private static JksSslStoreDetails details(Path store) {
		return JksSslStoreDetails.forLocation(store.toUri().toString()).withPassword(PASSWORD);
	}

	/* The properties of a client that connects to Redis. */
	List<String> properties() {
		String bundle = "spring.ssl.bundle.jks.locks.";
		return List.of("spring.data.redis.ssl.bundle=locks", bundle + "keystore.location=" + store("client").toUri(),
				bundle + "keystore.password=" + PASSWORD, bundle + "truststore.location=" + trusted().toUri(),
				bundle + "truststore.password=" + PASSWORD);
	}

	@Override
	public void close() {
		FileSystemUtils.deleteRecursively(this.directory.toFile());
	}

}
