package io.heddle.cluster.artemis;

import io.heddle.cluster.ClusterException;
import io.heddle.cluster.spi.AwayException;
import io.heddle.cluster.spi.Handed;
import io.heddle.cluster.spi.Log;
import io.heddle.cluster.spi.LogState;
import io.heddle.cluster.spi.PublishResult;
import io.heddle.cluster.spi.Tap;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A log, as one node sees it: every decision is the hub's. */
final class EmbeddedLog implements Log {
  private static final PublishResult[] RESULTS = PublishResult.values();

  private final NodeLink link;
  private final String name;

  EmbeddedLog(NodeLink link, String name) {
    this.link = link;
    this.name = name;
  }

  @Override
  public CompletionStage<PublishResult> publish(byte[] frame, String id) {
    Packet packet = new Packet(Op.PUBLISH, 0, name.length() + id.length() + frame.length);
    return link.request(packet.add(name).add(id).add(frame), "log " + name + " cannot be written")
        .thenApply(answer -> RESULTS[answer.integer()]);
  }

  @Override
  public CompletionStage<Void> room() {
    CompletableFuture<Void> room = new CompletableFuture<>();
    askForRoom(room);
    return room;
  }

  /** Asks, and asks again on each new connection. A log that is gone is no reason to wait. */
  @SuppressWarnings("NullAway") // a future of Void completes with null
  private void askForRoom(CompletableFuture<Void> room) {
    if (link.isClosed()) {
      room.completeExceptionally(link.closed());
      return;
    }
    CompletableFuture<Packet.Reader> asked;
    try {
      asked = link.request(new Packet(Op.ROOM).add(name), "log " + name, null);
    } catch (ClusterException e) {
      room.completeExceptionally(e);
      return;
    }
    CompletableFuture<Packet.Reader> _ =
        asked.whenComplete(
            (_, why) -> {
              if (why instanceof AwayException) {
                link.whenUp(() -> askForRoom(room));
              } else if (link.isClosed()) {
                room.completeExceptionally(link.closed());
              } else {
                room.complete(null);
              }
            });
  }

  @Override
  public Tap tap(int window, Tap.Taker to) throws InterruptedException {
    OpenTap tap = new OpenTap(window, to);
    link.checkOpen();
    link.add(tap.number, tap);
    boolean isOpen = false;
    try {
      Packet.Reader _ = link.await(tap.open());
      isOpen = true;
      return tap;
    } finally {
      if (!isOpen) {
        tap.close();
      }
    }
  }

  @Override
  public LogState state() throws InterruptedException {
    String what = "the state of log " + name + " cannot be read";
    return EmbeddedEngine.state(link.await(link.request(new Packet(Op.STATE).add(name), what)));
  }

  @Override
  public void seal() throws InterruptedException {
    String what = "log " + name + " cannot be sealed";
    Packet.Reader _ = link.await(link.request(new Packet(Op.SEAL).add(name), what));
  }

  /** A tap: what the hub hands to it goes to the taker. */
  private final class OpenTap implements Tap, NodeLink.Part {
    private final long number = link.newNumber();
    private final int window;
    private final Taker to;

    OpenTap(int window, Taker to) {
      this.window = window;
      this.to = to;
    }

    CompletableFuture<Packet.Reader> open() {
      Packet packet = new Packet(Op.TAP).add(name).add(number).add(window);
      return link.request(packet, "log " + name + " cannot be read");
    }

    @Override
    public void connected() {
      try {
        CompletableFuture<Packet.Reader> _ = open(); // the log may be gone
      } catch (ClusterException e) {
        // The engine was closed.
      }
    }

    @Override
    public void take(Op op, Packet.Reader packet) {
      long sequence = packet.number();
      long hold = packet.number();
      if (op == Op.LOST) {
        link.tell(new Packet(Op.CREDIT).add(number));
      } else {
        to.take(new HandedFrame(sequence, hold, packet.integer(), packet.bytes()));
      }
    }

    @Override
    public void close() {
      link.remove(number, Op.UNTAP);
    }
  }

  /** A frame that this node holds, as long as the hub says so. */
  private final class HandedFrame implements Handed {
    private final long sequence;
    private final long hold;
    private final int attempt;
    private final byte[] frame;

    HandedFrame(long sequence, long hold, int attempt, byte[] frame) {
      this.sequence = sequence;
      this.hold = hold;
      this.attempt = attempt;
      this.frame = frame;
    }

    @Override
    public byte[] frame() {
      return frame;
    }

    @Override
    public long sequence() {
      return sequence;
    }

    @Override
    public int attempt() {
      return attempt;
    }

    @Override
    public CompletionStage<Void> ack() {
      return ask(settling(Op.ACK));
    }

    @Override
    public CompletionStage<Void> giveBack(Duration delay) {
      return ask(settling(Op.GIVE_BACK).add(delay.isPositive() ? delay.toNanos() : 0));
    }

    @Override
    public CompletionStage<Void> renew() {
      return ask(settling(Op.RENEW));
    }

    private Packet settling(Op op) {
      return new Packet(op).add(name).add(sequence).add(hold);
    }

    private CompletionStage<Void> ask(Packet packet) {
      return link.request(packet, "frame " + sequence + " of log " + name).thenAccept(_ -> {});
    }
  }
}
