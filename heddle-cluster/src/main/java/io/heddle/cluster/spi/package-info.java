/**
 * What an engine must offer, so that {@link io.heddle.cluster.Cluster} can put channels, goroutines
 * and locks on it. In reading order:
 *
 * <ul>
 *   <li>{@link io.heddle.cluster.spi.EngineProvider}: found by {@link java.util.ServiceLoader} and
 *       by the scheme of the URI; opens an {@link io.heddle.cluster.spi.Engine} as
 *       {@link io.heddle.cluster.spi.EngineConfig} says.
 *   <li>{@link io.heddle.cluster.spi.Log}, {@link io.heddle.cluster.spi.LogSpec},
 *       {@link io.heddle.cluster.spi.LogState}: a bounded, stored queue of frames;
 *       {@link io.heddle.cluster.spi.PublishResult} is the answer to a publish.
 *   <li>{@link io.heddle.cluster.spi.Tap}, {@link io.heddle.cluster.spi.Handed}: one consumer of a
 *       log, and a frame that it holds until it acknowledges it.
 *   <li>{@link io.heddle.cluster.spi.Registry}: keys with revisions and times to live.
 *   <li>{@link io.heddle.cluster.spi.Wire}: small messages that may be lost.
 * </ul>
 *
 * <p>Threads: every method may be called by any thread, and by several at once. Methods that
 * declare {@link InterruptedException} may wait; all others must not. Callbacks run on the engine's
 * threads and return at once.
 *
 * <p>Failures are {@link io.heddle.cluster.ClusterException}s that name the engine, its address and
 * what was asked for. An engine that is away for a while, and then reconnects by itself, throws
 * {@link io.heddle.cluster.spi.AwayException}: the caller tries again. All others are final.
 */
@org.jspecify.annotations.NullMarked
package io.heddle.cluster.spi;
