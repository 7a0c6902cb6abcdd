/**
 * Channels, select and locks of Heddle beside those of Jox, Kotlin and {@code
 * java.util.concurrent}.
 *
 * <ul>
 *   <li>{@link io.heddle.bench.channels.ChannelsReport}: the main class; {@link
 *       io.heddle.bench.channels.ChannelsOptions}: its options
 *   <li>{@link io.heddle.bench.channels.ChannelWorkload}: what is measured; {@link
 *       io.heddle.bench.channels.Peer}: what is compared
 *   <li>{@link io.heddle.bench.channels.Twin}: all workloads for one peer; implemented by {@link
 *       io.heddle.bench.channels.HeddleTwin}, {@link io.heddle.bench.channels.JoxTwin}, {@link
 *       io.heddle.bench.channels.JucTwin} and the Kotlin twin
 *   <li>{@link io.heddle.bench.channels.Channels}: the JMH benchmarks of all twins
 *   <li>{@link io.heddle.bench.channels.Allocation}: bytes per operation
 *   <li>{@link io.heddle.bench.channels.Waiters}: nanoseconds per goroutine that waits at a channel
 *   <li>{@code CellFigures}, {@code Counter}, {@code ThreadBody}: parts of these
 * </ul>
 */
package io.heddle.bench.channels;
