/**
 * The rows of the benchmark for the peers that run in a JVM, one process per peer. Channels, select
 * and locks are in {@link io.heddle.bench.channels}; this package has the other rows.
 *
 * <ul>
 * <li>{@link io.heddle.bench.rows.TwinMain}: the main class of a peer's process
 * <li>{@link io.heddle.bench.rows.Rows}: the rows; implemented by
 * {@link io.heddle.bench.rows.HeddleRows}, {@link io.heddle.bench.rows.VirtualThreadRows},
 * {@link io.heddle.bench.rows.JoxRows} and the Kotlin twin
 * <li>{@link io.heddle.bench.rows.EchoConnection}, {@link io.heddle.bench.rows.HttpTwin}: the
 * servers
 * <li>{@link io.heddle.bench.rows.Documents}, {@link io.heddle.bench.rows.ArraySlice},
 * {@link io.heddle.bench.rows.SleepDelays}, {@link io.heddle.bench.rows.NativeSleep}: what the rows
 * work on
 * <li>{@link io.heddle.bench.rows.TickGaps}, {@link io.heddle.bench.rows.ItemRate}: measurements
 * <li>{@code RequestLoad}: requests at a rate, of the rows background and overload
 * </ul>
 *
 * <p>The twins resemble each other line by line on purpose: each is what a user of that library
 * would write. A common layer would add its calls, and its frames in every parked stack, to the
 * figures.
 */
package io.heddle.bench.rows;
