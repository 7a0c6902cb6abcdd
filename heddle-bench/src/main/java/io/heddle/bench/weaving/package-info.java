/**
 * The cost of yield checks that the agent weaves into loops.
 *
 * <ul>
 *   <li>{@link io.heddle.bench.weaving.WeavingReport}: the main class; measures with and without
 *       weaving, in turns
 *   <li>{@link io.heddle.bench.weaving.Loops}: the JMH benchmarks
 *   <li>{@link io.heddle.bench.weaving.Kernels}: the loops that they run, and the agent weaves
 * </ul>
 */
package io.heddle.bench.weaving;
