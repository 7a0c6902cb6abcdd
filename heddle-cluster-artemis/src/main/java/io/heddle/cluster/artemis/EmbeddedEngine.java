package io.heddle.cluster.artemis;

import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.Log;
import io.heddle.cluster.spi.LogSpec;
import io.heddle.cluster.spi.LogState;
import io.heddle.cluster.spi.Registry;
import io.heddle.cluster.spi.Wire;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The engine, as one node sees it. */
final class EmbeddedEngine implements Engine {
  private final NodeLink link;
  private final Registry registry;
  private final Wire wire;

  EmbeddedEngine(NodeLink link) {
    this.link = link;
    registry = new EmbeddedKeys(link);
    wire = new EmbeddedWire(link);
  }

  @Override
  public String name() {
    return "embedded";
  }

  @Override
  public String address() {
    return link.where();
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.of(Capability.MEMORY, Capability.FILES);
  }

  @Override
  public boolean isConnected() {
    return link.isUp();
  }

  @Override
  public Log log(LogSpec spec) throws InterruptedException {
    String what = "log " + spec.name() + " cannot be opened";
    Packet.Reader _ = link.await(link.request(Fields.addTo(new Packet(Op.OPEN), spec), what));
    return new EmbeddedLog(link, spec.name());
  }

  @Override
  public @Nullable LogState look(LogSpec spec) throws InterruptedException {
    String what = "the state of log " + spec.name() + " cannot be read";
    Packet.Reader answer = link.await(link.request(new Packet(Op.LOOK).add(spec.name()), what));
    return answer.flag() ? state(answer) : null;
  }

  static LogState state(Packet.Reader from) {
    long stored = from.number();
    long handed = from.number();
    boolean isSealed = from.flag();
    long oldest = from.number();
    return new LogState(stored, handed, isSealed, oldest < 0 ? null : Duration.ofNanos(oldest));
  }

  @Override
  public void delete(String name) throws InterruptedException {
    String what = "log " + name + " cannot be deleted";
    Packet.Reader _ = link.await(link.request(new Packet(Op.DELETE).add(name), what));
  }

  @Override
  public Registry registry() {
    return registry;
  }

  @Override
  public Wire wire() {
    return wire;
  }

  @Override
  public CompletionStage<Void> ended() {
    return link.ended();
  }

  @Override
  public void close() {
    link.close();
  }
}
