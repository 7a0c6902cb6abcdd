/**
 * The engine {@code embedded} of {@code io.heddle.cluster}: a hub in one JVM of the group, on
 * Apache Artemis. For the class path only, because the jars of Artemis share packages.
 *
 * <ul>
 *   <li>{@link io.heddle.cluster.artemis.EmbeddedEngineProvider}: opens {@code embedded:}.
 *   <li>{@link io.heddle.cluster.artemis.TlsContextFactory}: gives Artemis the keys for TLS.
 * </ul>
 *
 * <p>The package-private classes, from the node to the hub:
 *
 * <ul>
 *   <li>{@code EmbeddedAddress}, {@code EmbeddedTls}: what a URI and its settings say.
 *   <li>{@code EmbeddedEngine}, {@code EmbeddedLog}, {@code EmbeddedKeys}, {@code EmbeddedWire}:
 *       the engine as a node sees it. They ask the hub.
 *   <li>{@code NodeLink}: the connection of a node, which is made again when it is lost.
 *   <li>{@code HubFinder}: joins the hub of a folder, or starts it.
 *   <li>{@code Packet}, {@code Op}, {@code BadPacketException}, {@code Transport}: what is said,
 *       and how messages of Artemis carry it.
 *   <li>{@code Hub}: one thread, which decides everything.
 *   <li>{@code HubLog}, {@code Attempts}, {@code HubKeys}, {@code HubWire}, {@code Fields},
 *       {@code Dues}: what it knows.
 *   <li>{@code HubStore}: what it has stored, in a journal of Artemis.
 *   <li>{@code HubBroker}: the broker, which lets nodes in and tells when they are gone.
 * </ul>
 */
@NullMarked
package io.heddle.cluster.artemis;

import org.jspecify.annotations.NullMarked;
