/**
 * The engine {@code local:}: all nodes are in one process. For tests, and for the simulation of
 * clusters.
 *
 * <ul>
 *   <li>{@link io.heddle.cluster.local.LocalHub}: the engine itself; cuts, pauses and crashes its
 *       nodes.
 *   <li>{@link io.heddle.cluster.local.Faults}: what happens to messages between nodes and hub.
 *   <li>{@link io.heddle.cluster.local.LocalEngineProvider}: opens {@code local:} URIs.
 * </ul>
 *
 * <p>The package-private classes are {@code LocalEngine}, the connection of one node;
 * {@code LocalLink}, which carries its messages and injects the faults; {@code LocalLog},
 * {@code LocalRegistry} and {@code LocalWire}, the state of one cluster; and {@code DueList}, the
 * hub's timers. One lock of the hub guards all state. Callbacks run without it, one at a time.
 */
@org.jspecify.annotations.NullMarked
package io.heddle.cluster.local;
