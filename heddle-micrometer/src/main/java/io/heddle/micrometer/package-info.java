/**
 * The figures of Heddle's schedulers as meters of Micrometer.
 *
 * <ul>
 *   <li>{@link io.heddle.micrometer.HeddleMetrics}: binds the meters to a registry.
 *   <li>{@link io.heddle.micrometer.ClusterMetrics}: those of remote channels.
 * </ul>
 *
 * <p>The package-private classes are {@code RegistryMeters}, the meters of all schedulers in one
 * registry; {@code SchedulerMeters}, those of one scheduler; {@code SchedulerReading}, the figures
 * that they show; {@code WatchMeters} and {@code WatchReading}, the same for watch mode.
 */
@org.jspecify.annotations.NullMarked
package io.heddle.micrometer;
