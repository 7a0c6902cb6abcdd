/**
 * Channels, goroutines and locks that cross processes.
 *
 * {@snippet :
 * try (Cluster cluster = Cluster.open("nats://localhost:4222")) {
 *   RemoteChan<Order> orders = cluster.chan("orders", Order.class).capacity(1_000).open();
 *   orders.send(order);                       // returns when the engine has stored it
 *   for (Order each : orders.values()) {      // acknowledged when the loop asks for the next one
 *     book(each);
 *   }
 * }
 * }
 *
 * <ul>
 *   <li>{@link io.heddle.cluster.Cluster}, {@link io.heddle.cluster.ClusterOptions}: one node, and
 *       how it connects; {@link io.heddle.cluster.Member}: which other nodes there are.
 *   <li>{@link io.heddle.cluster.RemoteChan}, {@link io.heddle.cluster.Delivery},
 *       {@link io.heddle.cluster.DeadLetter}: channels.
 *   <li>{@link io.heddle.cluster.Codec}: how values become bytes.
 *   <li>{@link io.heddle.cluster.RemoteFunction}, {@link io.heddle.cluster.Remote},
 *       {@link io.heddle.cluster.RemoteGroup}: goroutines on other nodes.
 *   <li>{@link io.heddle.cluster.RemoteMutex}, {@link io.heddle.cluster.RemoteSemaphore},
 *       {@link io.heddle.cluster.RemoteOnce}, {@link io.heddle.cluster.Lease}: locks.
 *   <li>{@link io.heddle.cluster.ClusterStatus}, {@link io.heddle.cluster.ClusterObserver}: a look
 *       at the whole; {@link io.heddle.cluster.ChannelStats},
 *       {@link io.heddle.cluster.ChannelDepth}: figures of one channel.
 *   <li>{@link io.heddle.cluster.ClusterException} and its subclasses.
 * </ul>
 *
 * <p>The package-private classes, from the engine upwards: {@code Node}, {@code Keys} and {@code
 * LeaseTime}, what all others share; {@code Membership}; {@code Frame}, the bytes of a message;
 * {@code Outbox}, {@code Unit} and {@code SendSlots}, which send; {@code Inbox}, {@code Incoming},
 * {@code Leases} and {@code Held}, which receive; {@code ChannelSettings}, what nodes agree on, and
 * {@code RemoteChans}, the open channels; {@code TaskCalls} and {@code TaskWorkers}, the two ends
 * of a remote goroutine; {@code Signals}, by which locks wait; {@code StatusAnswers} and {@code
 * StatusReader}, the two ends of a look at the cluster, {@code ClusterTables} and {@code Cached},
 * the tables of the dashboard; {@code ClusterEvents}, for the flight recorder.
 */
@org.jspecify.annotations.NullMarked
package io.heddle.cluster;
