/**
 * The twins that run in a JVM: a process each, which {@link io.heddle.bench.rows.TwinMain} is the main class of. What
 * channels, select and locks do is in {@link io.heddle.bench.channels}; here is the rest.
 *
 * <p>Twins are alike line by line on purpose: each is what a user of that library would write, and a
 * layer that hides which one it is would add its calls, and its frames in every stack that is parked, to the figures.
 */
package io.heddle.bench.rows;
