/**
 * The row <i>remote channel</i>: {@link io.heddle.bench.cluster.RemoteChannelReport} sends, {@code
 * ReceivingProcess} receives. {@code HeddleLine} is a remote channel on NATS; its peers are {@code
 * JnatsLine} (plain NATS), {@code HazelcastLine} and {@code VertxLine}. {@code OpenChannels}
 * measures what ten thousand open channels cost.
 */
@NullMarked
package io.heddle.bench.cluster;

import org.jspecify.annotations.NullMarked;
