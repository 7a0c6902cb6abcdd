package io.heddle.cluster.artemis;

import io.heddle.cluster.ClusterException;
import io.heddle.cluster.spi.Registry;
import io.heddle.cluster.spi.Wire;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Messages that may be lost, as one node sees them. */
final class EmbeddedWire implements Wire {
  private final NodeLink link;

  EmbeddedWire(NodeLink link) {
    this.link = link;
  }

  @Override
  public void tell(String subject, byte[] message) {
    link.checkOpen();
    link.tell(new Packet(Op.TELL, 0, message.length).add(subject).add(message));
  }

  @Override
  public CompletionStage<byte @Nullable []> ask(String subject, byte[] message, Duration limit) {
    Packet packet = new Packet(Op.ASK, 0, message.length);
    return link.request(
            packet.add(subject).add(message).add(limit.toNanos()), "subject " + subject, limit)
        .handle((answer, _) -> answer != null && answer.flag() ? answer.bytes() : null);
  }

  @Override
  public Registry.Ended listen(String subject, Listener listener) throws InterruptedException {
    Listening listening = new Listening(subject, listener);
    link.checkOpen();
    link.add(listening.number, listening);
    boolean isBegun = false;
    try {
      Packet.Reader _ = link.await(listening.begin());
      isBegun = true;
      return listening;
    } finally {
      if (!isBegun) {
        listening.close();
      }
    }
  }

  /** A listener with its subject. */
  private final class Listening implements Registry.Ended, NodeLink.Part {
    private final long number = link.newNumber();
    private final String subject;
    private final Listener listener;

    Listening(String subject, Listener listener) {
      this.subject = subject;
      this.listener = listener;
    }

    CompletableFuture<Packet.Reader> begin() {
      return link.request(new Packet(Op.LISTEN).add(number).add(subject), "subject " + subject);
    }

    @Override
    public void take(Op op, Packet.Reader packet) {
      long ask = packet.number();
      listener.hear(
          packet.bytes(),
          answer -> {
            if (ask != 0) {
              link.tell(new Packet(Op.ANSWER, 0, answer.length).add(ask).add(answer));
            }
          });
    }

    @Override
    public void connected() {
      try {
        CompletableFuture<Packet.Reader> _ = begin();
      } catch (ClusterException e) {
        // The engine was closed.
      }
    }

    @Override
    public void close() {
      link.remove(number, Op.UNLISTEN);
    }
  }
}
