package io.heddle.cluster.local;

import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.Select;
import io.heddle.cluster.ClusterException;
import io.heddle.cluster.local.LocalHub.LocalCluster;
import io.heddle.cluster.spi.AwayException;
import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.Log;
import io.heddle.cluster.spi.LogSpec;
import io.heddle.cluster.spi.LogState;
import io.heddle.cluster.spi.PublishResult;
import io.heddle.cluster.spi.Registry;
import io.heddle.cluster.spi.Tap;
import io.heddle.cluster.spi.Wire;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The connection of one node to its hub. */
final class LocalEngine implements Engine {
  private final LocalHub hub;
  private final LocalLink link;
  private final LocalCluster cluster;
  private final Registry registry = new KeysOfNode();
  private final Wire wire = new WireOfNode();

  LocalEngine(LocalHub hub, LocalLink link, LocalCluster cluster) {
    this.hub = hub;
    this.link = link;
    this.cluster = cluster;
  }

  @Override
  public String name() {
    return "local";
  }

  @Override
  public String address() {
    return "this process";
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.of(Capability.MEMORY);
  }

  @Override
  public boolean isConnected() {
    return link.isUp();
  }

  @Override
  public Log log(LogSpec spec) throws InterruptedException {
    return new LogOfNode(await(() -> open(spec)));
  }

  private LocalLog open(LogSpec spec) {
    if (spec.storage() == LogSpec.Storage.FILES || spec.replicas() > 1) {
      throw LocalLink.failure("log " + spec.name() + ": keeps one copy, in memory");
    }
    LocalLog log = cluster.logs().computeIfAbsent(spec.name(), _ -> new LocalLog(hub, spec));
    if (!log.spec().equals(spec)) {
      throw LocalLink.failure("log " + spec.name() + " is " + log.spec() + ", not " + spec);
    }
    return log;
  }

  @Override
  public @Nullable LogState look(LogSpec spec) throws InterruptedException {
    List<LogState> found =
        await(
            () -> {
              LocalLog log = cluster.logs().get(spec.name());
              return log == null ? List.of() : List.of(log.state());
            });
    return found.isEmpty() ? null : found.getFirst();
  }

  @Override
  public void delete(String name) throws InterruptedException {
    boolean _ = await(() -> cluster.logs().remove(name) != null);
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
    hub.run(link::close);
  }

  /** Asks the hub and waits for the answer. */
  private <T> T await(Supplier<T> atHub) throws InterruptedException {
    return await(link.ask(false, atHub));
  }

  private <T> T await(CompletableFuture<T> result) throws InterruptedException {
    if (!result.isDone()) {
      Chan<Boolean> done = Chan.external("engine local", 1);
      CompletableFuture<T> _ = result.whenComplete((_, _) -> done.trySend(true));
      Case<?> over = Select.recv(link.over());
      if (Select.select(Select.recv(done), over) == over && !result.isDone()) {
        throw LocalLink.failure("closed");
      }
    }
    try {
      return result.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof AwayException away) {
        throw new AwayException(String.valueOf(away.getMessage()), away);
      }
      if (e.getCause() instanceof ClusterException failure) {
        throw new ClusterException(String.valueOf(failure.getMessage()), failure);
      }
      throw e;
    }
  }

  /** Begins something at the hub; ends it, also a late begin, if the hub has not answered. */
  private void begin(Runnable begin, Runnable end) throws InterruptedException {
    boolean isBegun = false;
    try {
      isBegun =
          await(
              () -> {
                begin.run();
                return true;
              });
    } finally {
      if (!isBegun) {
        hub.run(end);
      }
    }
  }

  private final class LogOfNode implements Log {
    private final LocalLog log;

    LogOfNode(LocalLog log) {
      this.log = log;
    }

    @Override
    public CompletionStage<PublishResult> publish(byte[] frame, String id) {
      return link.ask(true, () -> log.publish(frame, id));
    }

    @Override
    public CompletionStage<Void> room() {
      CompletableFuture<Void> result = new CompletableFuture<>();
      hub.run(() -> log.whenRoom(() -> hub.post(() -> result.complete(null))));
      return result;
    }

    @Override
    public Tap tap(int window, Tap.Taker to) throws InterruptedException {
      LocalLog.Consumer consumer = log.consumer(link, window, to);
      begin(consumer::begin, consumer::endByNode);
      hub.run(() -> link.onEnd(consumer::end));
      return () -> hub.run(consumer::endByNode);
    }

    @Override
    public LogState state() throws InterruptedException {
      return await(log::state);
    }

    @Override
    public void seal() throws InterruptedException {
      boolean _ =
          await(
              () -> {
                log.seal();
                return true;
              });
    }
  }

  private final class KeysOfNode implements Registry {
    @Override
    public @Nullable Entry get(String key) throws InterruptedException {
      List<Entry> found =
          await(
              () -> {
                Entry entry = cluster.registry().get(key);
                return entry == null ? List.of() : List.of(entry);
              });
      return found.isEmpty() ? null : found.getFirst();
    }

    @Override
    public List<Entry> list(String path) throws InterruptedException {
      return await(() -> cluster.registry().list(path));
    }

    @Override
    public OptionalLong create(String key, byte[] value, @Nullable Duration ttl)
        throws InterruptedException {
      return await(() -> cluster.registry().create(key, value, ttl));
    }

    @Override
    public OptionalLong replace(String key, byte[] value, long revision, @Nullable Duration ttl)
        throws InterruptedException {
      return await(() -> cluster.registry().replace(key, value, revision, ttl));
    }

    @Override
    public boolean delete(String key, long revision) throws InterruptedException {
      return await(() -> cluster.registry().delete(key, revision));
    }

    @Override
    public Ended watch(String path, Watcher watcher) throws InterruptedException {
      LocalRegistry.Watching watching = cluster.registry().watching(link, path, watcher);
      begin(watching::begin, watching::close);
      return () -> hub.run(watching::close);
    }
  }

  private final class WireOfNode implements Wire {
    @Override
    public void tell(String subject, byte[] message) {
      hub.run(() -> link.toHub(() -> pass(subject, message, _ -> {})));
    }

    /** Passes a message to the listeners; {@code onAnswer} is run at the hub. */
    private void pass(String subject, byte[] message, Consumer<byte[]> onAnswer) {
      for (LocalWire.Hearing each : cluster.wire().of(subject)) {
        Reply reply = answer -> hub.run(() -> each.link().toHub(() -> onAnswer.accept(answer)));
        each.link().toNode(() -> hub.post(() -> each.listener().hear(message, reply)));
      }
    }

    @Override
    public CompletionStage<byte @Nullable []> ask(String subject, byte[] message, Duration limit) {
      CompletableFuture<byte @Nullable []> result = new CompletableFuture<>();
      hub.run(
          () -> {
            Runnable none = () -> hub.post(() -> result.complete(null));
            DueList.Due timeout = hub.dues().add(limit.toNanos(), none);
            link.toHub(
                () -> {
                  if (cluster.wire().of(subject).isEmpty()) {
                    hub.dues().cancel(timeout);
                    link.toNode(none);
                  }
                  pass(subject, message, answer -> answered(result, timeout, answer));
                });
          });
      return result;
    }

    private void answered(
        CompletableFuture<byte @Nullable []> result, DueList.Due timeout, byte[] answer) {
      link.toNode(
          () -> {
            hub.dues().cancel(timeout);
            hub.post(() -> result.complete(answer));
          });
    }

    @Override
    public Registry.Ended listen(String subject, Listener listener) throws InterruptedException {
      LocalWire.Hearing hearing = new LocalWire.Hearing(link, listener);
      Runnable end = () -> cluster.wire().remove(subject, hearing);
      begin(() -> cluster.wire().add(subject, hearing), end);
      hub.run(() -> link.onEnd(end));
      return () -> hub.run(end);
    }
  }
}
