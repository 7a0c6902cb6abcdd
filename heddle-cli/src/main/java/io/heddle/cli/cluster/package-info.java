/**
 * What {@code heddle cluster status} shows, and the demo of a cluster.
 *
 * <ul>
 *   <li>{@link io.heddle.cli.cluster.StatusView}: a status as text
 *   <li>{@link io.heddle.cli.cluster.StatusJson}: a status as JSON
 *   <li>{@code Rates}: what happened between two looks
 *   <li>{@link io.heddle.cli.cluster.ClusterDemo}: two JVMs, of which one is killed
 *   <li>{@code DemoServer}: the engine of the demo
 *   <li>{@link io.heddle.cli.cluster.DemoWorker}: the main class of its JVMs
 * </ul>
 */
@NullMarked
package io.heddle.cli.cluster;

import org.jspecify.annotations.NullMarked;
