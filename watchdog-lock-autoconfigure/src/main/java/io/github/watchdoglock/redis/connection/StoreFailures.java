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

package io.github.watchdoglock.redis.connection;

import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.CommandRefusedException;
import io.github.watchdoglock.store.NotConnectedException;
import io.github.watchdoglock.store.OutcomeUnknownException;
import io.github.watchdoglock.text.DurationText;
import io.github.watchdoglock.text.PrintableText;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * The exceptions of failed commands. Their messages say what failed and what to do about
 * it, and their types say whether Redis may have executed the command.
 */
public final class StoreFailures {

	/* Lettuce also reports this for a command in flight when its connection is lost. */
	private static final String LETTUCE_REJECTION = "Currently not connected";

	/* Lettuce's messages for a command that was not sent; it has no classes for that. */
	private static final List<String> REJECTIONS = List.of(LETTUCE_REJECTION, "Unable to connect");

	/* The beginning of all reasons which say that Redis did not respond in time. */
	static final String NO_RESPONSE = "no response within ";

	static final String TLS_ADVICE = " (if it never responds, this port may not use TLS: set the port that does, or"
			+ " remove spring.data.redis.ssl)";

	/* Messages of Lettuce and Netty about the timeout of opening a connection. */
	private static final List<String> CONNECTING_TIMED_OUT = List.of("Connection initialization timed out",
			"connection timed out after ");

	private static final int MAX_CAUSES = 16;

	/* An error in a script comes with the whole script. */
	private static final int MAX_ERROR = 300;

	/** The commands of locks, except for those that only clusters need. */
	public static final String PERMISSIONS = "+evalsha +eval +script|load +get +getrange +set +pttl +pexpire +time +append"
			+ " +setrange +publish +subscribe";

	private static final String PERMISSION_ADVICE = "locks need ACL SETUSER <user> " + PERMISSIONS
			+ " with the keys and channels of the key prefix, in a cluster also +cluster|nodes";

	private static final List<String> FORBIDDEN = List.of("NOPERM", "ACL failure in script",
			"The user executing the script");

	private static final Pattern FORBIDDEN_COMMAND = Pattern.compile("run the '([^']+)' command");

	/* Errors with which Redis rejects a command for now, not permanently. */
	private static final Pattern PASSING = Pattern
		.compile("\\b(READONLY|LOADING|MASTERDOWN|TRYAGAIN|ASK|MOVED|" + "CLUSTERDOWN|NOREPLICAS|BUSY|MISCONF|OOM) ");

	/* Advice by a part of the error; versions of Redis differ in its position. */
	private static final Map<String, String> ADVICE = Map.ofEntries(
			Map.entry("WRONGPASS",
					"check user name and password of the Redis connection, which may have changed; for a password that"
							+ " rotates, use a RedisCredentialsProvider"),
			Map.entry("NOAUTH", "Redis requires a password: check user name and password of the Redis connection"),
			Map.entry("NOPERM", PERMISSION_ADVICE), Map.entry("ACL failure in script:", PERMISSION_ADVICE),
			Map.entry("The user executing the script", PERMISSION_ADVICE),
			Map.entry("unknown command", PERMISSION_ADVICE),
			Map.entry("WRONGTYPE", "something else uses this key: delete it, or choose another key prefix"),
			Map.entry("OOM", "Redis is out of memory"),
			Map.entry("READONLY", "this is a replica, and locks need the primary"),
			Map.entry("MOVED",
					"this is a node of a cluster: if the application is not configured for a cluster, set"
							+ " spring.data.redis.cluster.nodes"),
			Map.entry("This instance has cluster support",
					"this is not a cluster: set spring.data.redis.host and port"),
			Map.entry("LOADING", "Redis is starting"), Map.entry("MASTERDOWN", "Redis has no primary at the moment"),
			Map.entry("CLUSTERDOWN", "the cluster does not serve this key at the moment"),
			Map.entry("NOREPLICAS", "Redis has fewer replicas than min-replicas-to-write demands"),
			Map.entry("BUSY", "a script or function blocks Redis"),
			Map.entry("MISCONF", "Redis cannot write its snapshot and rejects write commands"));

	private final String address;

	/**
	 * Create the failures of a Redis.
	 * @param address its address, as people read it
	 */
	public StoreFailures(String address) {
		this.address = address;
	}

	/**
	 * Create the exception of a command that has failed.
	 * @param sent whether the command was sent
	 * @param failure the failure
	 * @return the exception
	 */
	public LockStoreException of(boolean sent, Throwable failure) {
		Throwable cause = unwrap(failure);
		String error = serverError(cause);
		if (error != null) {
			return refusal(sent, error, cause);
		}
		if (!sent || isRejection(cause)) {
			String message = "no connection to " + this.address + " (" + withTlsAdvice(describe(cause), this.address)
					+ ")";
			return (sent && says(cause, LETTUCE_REJECTION)) ? new OutcomeUnknownException(message, cause)
					: new NotConnectedException(message, cause);
		}
		if (cause instanceof TimeoutException) {
			return new OutcomeUnknownException(StringUtils.capitalize(this.address) + " did not answer in time", cause);
		}
		return new OutcomeUnknownException("no answer from " + this.address + " (" + describe(cause) + ")", cause);
	}

	/* Return the exception for an answer of the server that is an error. */
	private LockStoreException refusal(boolean sent, String error, Throwable cause) {
		String message = StringUtils.capitalize(this.address) + " refused the command: " + withAdvice(error);
		boolean passing = PASSING.matcher(error).find();
		if (!sent) {
			return passing ? new NotConnectedException(message, cause) : new LockStoreException(message, cause);
		}
		return passing ? new LockStoreException(message, cause) : new CommandRefusedException(message, cause);
	}

	/**
	 * Return whether the driver reports that it is not connected.
	 * @param failure the failure
	 * @return true if so
	 */
	public static boolean isRejection(Throwable failure) {
		return REJECTIONS.stream().anyMatch((words) -> says(failure, words));
	}

	private static boolean says(Throwable failure, String words) {
		return causes(failure).anyMatch((cause) -> String.valueOf(cause.getMessage()).startsWith(words));
	}

	/* The failure itself, its cause, and so on. */
	private static Stream<Throwable> causes(Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(MAX_CAUSES);
	}

	/**
	 * Return what an operator needs to know about a failure.
	 * @param failure the failure
	 * @return the server's message, otherwise the innermost one, and what to do
	 */
	public static String describe(Throwable failure) {
		String error = serverError(failure);
		if (error != null) {
			return withAdvice(error);
		}
		Throwable inner = innermost(failure);
		String words = words(inner);
		String advice = ConnectionAdvice.of(inner);
		return (advice != null) ? words + " (" + advice + ")" : words;
	}

	/* A class name is not a reason. */
	private static String words(Throwable inner) {
		String message = inner.getMessage();
		// Opening a connection has the same timeout as a command that Lettuce ends.
		if (inner instanceof RedisCommandTimeoutException || ((message != null)
				? CONNECTING_TIMED_OUT.stream().anyMatch(message::startsWith) : inner instanceof TimeoutException)) {
			return NO_RESPONSE + DurationText.of(ConnectionBackOff.CONNECT_TIMEOUT);
		}
		if (message != null) {
			return message;
		}
		return (inner instanceof ClosedChannelException) ? "the connection was closed"
				: "the client gives no reason (" + inner.getClass().getSimpleName() + ")";
	}

	/**
	 * Create the failure of a command to which Redis did not respond in time.
	 * @param time how long it was waited for
	 * @return the failure
	 */
	public static TimeoutException noResponse(Duration time) {
		return new TimeoutException(NO_RESPONSE + DurationText.of(time));
	}

	/*
	 * A server without TLS takes the handshake for a command, and waits for the rest of
	 * it.
	 */
	static String withTlsAdvice(String reason, String address) {
		return (reason.startsWith(NO_RESPONSE) && address.endsWith(" by TLS")) ? reason + TLS_ADVICE : reason;
	}

	/*
	 * The answers of a cluster's nodes are only suppressed exceptions. The cause of an
	 * unknown host does not name the host.
	 */
	private static Throwable innermost(Throwable failure) {
		Throwable inner = failure;
		for (int i = 0; i < MAX_CAUSES && !(inner instanceof UnknownHostException); i++) {
			if (inner.getCause() != null) {
				inner = inner.getCause();
			}
			else if (inner.getSuppressed().length > 0) {
				inner = inner.getSuppressed()[0];
			}
		}
		return inner;
	}

	/**
	 * Return the failure of a stage.
	 * @param failure the failure, or the exception that a dependent stage made of it
	 * @return the failure
	 */
	public static Throwable unwrap(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	/**
	 * Return the error that the server has answered. If several nodes of a cluster reject
	 * a connection, their answers are only suppressed exceptions.
	 * @param failure the failure
	 * @return the error; null if it is not an answer of the server
	 */
	public static @Nullable String serverError(Throwable failure) {
		return causes(failure).flatMap((cause) -> Stream.concat(Stream.of(cause), Stream.of(cause.getSuppressed())))
			.filter(RedisCommandExecutionException.class::isInstance)
			.map((error) -> String.valueOf(error.getMessage()))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Return whether the server reports that the user may not do this.
	 * @param error the error
	 * @return true if so
	 */
	public static boolean isForbidden(String error) {
		return FORBIDDEN.stream().anyMatch(error::contains);
	}

	/**
	 * Return whether the server does not support this, or not for this user.
	 * @param failure the failure
	 * @return true if so
	 */
	public static boolean isDenial(Throwable failure) {
		String error = serverError(failure);
		return error != null && (isForbidden(error) || error.startsWith("ERR unknown command"));
	}

	/**
	 * Return whether the server reports that it is not a primary.
	 * @param error the error
	 * @return true if so
	 */
	public static boolean isOfReplica(String error) {
		return error.contains("READONLY ") || error.contains("MASTERDOWN ");
	}

	private static String withAdvice(String error) {
		String shown = PrintableText.of(error, MAX_ERROR);
		String grant = isForbidden(error) ? grant(error) : null;
		if (grant != null && !PERMISSIONS.contains(grant)) {
			return shown + " (the user needs " + grant + ": ACL SETUSER <user> " + grant + ")";
		}
		String text = error.startsWith("ERR ") ? error.substring(4) : error;
		for (Map.Entry<String, String> advice : ADVICE.entrySet()) {
			if (text.contains(advice.getKey() + " ")) {
				return shown + " (" + advice.getValue() + ")";
			}
		}
		return shown;
	}

	/*
	 * Return the permission for the command that an error names, or null if it names
	 * none.
	 */
	private static @Nullable String grant(String error) {
		Matcher command = FORBIDDEN_COMMAND.matcher(error);
		// Old versions name only the command, and locks need only one of its subcommands.
		return command.find()
				? "+" + command.group(1).toLowerCase(Locale.ROOT).replaceFirst("^cluster$", "cluster|nodes") : null;
	}

}
