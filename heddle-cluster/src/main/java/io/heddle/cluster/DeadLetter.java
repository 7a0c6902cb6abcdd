package io.heddle.cluster;

import org.jspecify.annotations.Nullable;

/**
 * An item that left its channel without being acknowledged: it was rejected, could not be decoded,
 * or was delivered too often.
 *
 * @param channel the channel
 * @param id the id of the item, as {@link Delivery#id}
 * @param reason why it is here
 * @param attempts how often it was delivered
 * @param sender the id of the node that sent it
 * @param node the id of the node that gave it up
 * @param codec the type of the codec that wrote the bytes
 * @param bytes the value; the whole frame if that could not be read
 * @param trace the trace context that came with it; null if there was none
 */
public record DeadLetter(
    String channel,
    String id,
    String reason,
    int attempts,
    String sender,
    String node,
    String codec,
    byte[] bytes,
    @Nullable String trace) {}
