package io.heddle.cluster;

import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.LogState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the engine has of a channel, for all processes together. If the channel's {@link
 * RemoteChan.Builder#batch} is 1, a message is a value.
 *
 * @param stored messages that were sent and not acknowledged
 * @param unacknowledged those of them that a node holds
 * @param lag for how long the oldest of them has been stored; zero if there is none; null if the
 *     engine does not know
 * @param deadLetters messages in the channel of dead letters
 */
public record ChannelDepth(
    long stored, long unacknowledged, @Nullable Duration lag, long deadLetters) {
  /** Asks the engine. Returns null if there is no such channel. */
  static @Nullable ChannelDepth read(Engine engine, String name, ChannelSettings settings)
      throws InterruptedException {
    LogState state = engine.look(settings.log(name));
    if (state == null) {
      return null;
    }
    String deadName = name + RemoteChans.DEAD;
    boolean hasDead = !name.endsWith(RemoteChans.DEAD);
    ChannelSettings ofDead = settings.dead(LetterCodec.INSTANCE.type());
    LogState dead = hasDead ? engine.look(ofDead.log(deadName)) : null;
    return new ChannelDepth(
        state.stored(),
        state.handed(),
        state.stored() == 0 ? Duration.ZERO : state.oldest(),
        dead == null ? 0 : dead.stored());
  }
}
