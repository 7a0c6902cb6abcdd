package io.heddle.bench.cluster;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The event bus of Vert.x: a request, which the receiver answers. Nothing is stored. */
@SuppressWarnings("try") // an interrupt ends the run
record VertxLine() implements Line {
  private static final int SENDERS = 1_000;
  private static final DeliveryOptions OPTIONS = new DeliveryOptions().setSendTimeout(10_000);
  private static final long READY_SECONDS = 30;

  @Override
  public String name() {
    return "Vert.x event bus, 1000 virtual threads";
  }

  @Override
  public String promise() {
    return "answered, not stored";
  }

  private static <T> T await(Future<T> future) throws Exception {
    try {
      return future.toCompletionStage().toCompletableFuture().get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static Vertx start(String place) throws Exception {
    return await(
        Vertx.builder()
            .with(new VertxOptions().setEventBusOptions(new EventBusOptions().setHost("127.0.0.1")))
            .withClusterManager(new HazelcastClusterManager(HazelcastLine.member(place)))
            .buildClustered());
  }

  @Override
  public SendingEnd send(String server, String place) throws Exception {
    Vertx vertx = start(place);
    EventBus bus = vertx.eventBus();
    return new SendingEnd() {
      @Override
      public void send(byte[] value) throws Exception {
        var _ = await(bus.request(VALUES, value, OPTIONS));
      }

      @Override
      public void inAllSenders(Body body) throws Exception {
        Senders.run(Thread.ofVirtual(), SENDERS, body);
      }

      @Override
      public void awaitReceiver() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
        while (true) {
          try {
            send(ReceivingProcess.IGNORED);
            return;
          } catch (ReplyException e) { // the address is not known here yet
            if (System.nanoTime() - end > 0) {
              throw e;
            }
            TimeUnit.MILLISECONDS.sleep(20);
          }
        }
      }

      @Override
      public void close() throws Exception {
        var _ = await(vertx.close());
      }
    };
  }

  @Override
  public AutoCloseable receive(String server, String place, Consumer<byte[]> taker)
      throws Exception {
    Vertx vertx = start(place);
    var consumer =
        vertx
            .eventBus()
            .<byte[]>consumer(
                VALUES,
                message -> {
                  taker.accept(message.body());
                  message.reply(null);
                });
    await(consumer.completion());
    return () -> await(vertx.close());
  }
}
