/**
 * The twins that run in a JVM: a process each, which {@link io.heddle.bench.rows.TwinMain} is the main class of. What
 * channels, select and locks do is in {@link io.heddle.bench.channels}; here is the rest.
 */
package io.heddle.bench.rows;
