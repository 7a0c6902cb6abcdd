/**
 * The row <i>remote channel</i>: {@link io.heddle.bench.cluster.RemoteChannelReport} compares a
 * remote channel on NATS, {@code HeddleLine}, with plain NATS, {@code PlainLine}. Both are a {@code
 * Line}.
 */
@NullMarked
package io.heddle.bench.cluster;

import org.jspecify.annotations.NullMarked;
