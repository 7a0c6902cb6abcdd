/**
 * The engine {@code nats}: NATS JetStream, server 2.11 or newer. In reading order:
 *
 * <ul>
 *   <li>{@link io.heddle.cluster.nats.NatsEngineProvider}: URIs and settings; opens a connection.
 *   <li>{@code NatsEngine}: one node; opens logs, and tells its parts when the connection is back.
 *   <li>{@code NatsLink}: requests to the server, and their failures by name.
 *   <li>{@code NatsNames}: the streams and subjects of a cluster.
 *   <li>{@code NatsLog}, {@code NatsRoom}, {@code LogStream}: a log is a stream with the retention
 *       {@code workqueue}, which refuses when it is full.
 *   <li>{@code NatsTap}, {@code NatsHanded}: a consumer that pulls as many frames as its window has
 *       room for.
 *   <li>{@code NatsRegistry}, {@code NatsWatch}: the keys are the subjects of one stream.
 *   <li>{@code NatsWire}: plain publish and request.
 * </ul>
 *
 * <p>Threads: the client has a thread that reads, one that writes and one per dispatcher. One
 * dispatcher runs the frames of all taps, one the watchers and the listeners, and one of the client
 * completes requests. A thread {@code heddle-nats} looks after leases and lost answers.
 */
@org.jspecify.annotations.NullMarked
package io.heddle.cluster.nats;
