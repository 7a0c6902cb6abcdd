package io.heddle.bench.cluster;

import io.nats.client.Connection;
import io.nats.client.ConsumerContext;
import io.nats.client.JetStream;
import io.nats.client.MessageConsumer;
import io.nats.client.Nats;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Plain jnats: a stream in files, one message for each value, publish with an acknowledgement. */
final class PlainLine implements Line {
  private static final int SENDERS = 64;
  private static final String CONSUMER = "bench";

  private final Connection from;
  private final Connection to;
  private final JetStream out;
  private final String stream = "plain-" + Long.toHexString(System.nanoTime());
  private @Nullable MessageConsumer consumer;

  PlainLine(String url) throws Exception {
    from = Nats.connect(url);
    to = Nats.connect(url);
    out = from.jetStream();
    var _ =
        from.jetStreamManagement()
            .addStream(
                StreamConfiguration.builder()
                    .name(stream)
                    .subjects(stream)
                    .retentionPolicy(RetentionPolicy.WorkQueue)
                    .storageType(StorageType.File)
                    .build());
    var _ =
        from.jetStreamManagement()
            .addOrUpdateConsumer(
                stream,
                ConsumerConfiguration.builder()
                    .durable(CONSUMER)
                    .ackPolicy(AckPolicy.Explicit)
                    .maxAckPending(-1)
                    .build());
  }

  @Override
  public String name() {
    return "plain jnats";
  }

  @Override
  public int senders() {
    return SENDERS;
  }

  @Override
  public void receive(Consumer<byte[]> taker) throws Exception {
    ConsumerContext context = to.getConsumerContext(stream, CONSUMER);
    consumer =
        context.consume(
            message -> {
              taker.accept(message.getData());
              message.ack();
            });
  }

  @Override
  public void send(byte[] value) throws Exception {
    var _ = out.publish(stream, value);
  }

  @Override
  public void inAllSenders(Body body) throws Exception {
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < SENDERS; i++) {
      all.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      body.run();
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                  }));
    }
    for (Thread each : all) {
      each.join();
    }
  }

  @Override
  public void close() throws Exception {
    if (consumer != null) {
      consumer.close();
    }
    boolean _ = from.jetStreamManagement().deleteStream(stream);
    to.close();
    from.close();
  }
}
