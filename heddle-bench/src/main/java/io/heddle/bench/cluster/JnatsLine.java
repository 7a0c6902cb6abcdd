package io.heddle.bench.cluster;

import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.MessageConsumer;
import io.nats.client.Nats;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.util.function.Consumer;

/**
 * Plain jnats: a stream in files, one message for each value, publish with an acknowledgement.
 *
 * @param areVirtual whether the senders are virtual threads of the JDK
 */
@SuppressWarnings("try") // an interrupt ends the run
record JnatsLine(int senders, boolean areVirtual) implements Line {
  @Override
  public String name() {
    return "plain jnats, " + senders + (areVirtual ? " virtual threads" : " platform threads");
  }

  @Override
  public String promise() {
    return "stored";
  }

  @Override
  public SendingEnd send(String server, String place) throws Exception {
    Connection connection = Nats.connect(server);
    var _ =
        connection
            .jetStreamManagement()
            .addStream(
                StreamConfiguration.builder()
                    .name(place)
                    .subjects(place)
                    .retentionPolicy(RetentionPolicy.WorkQueue)
                    .storageType(StorageType.File)
                    .build());
    var _ =
        connection
            .jetStreamManagement()
            .addOrUpdateConsumer(
                place,
                ConsumerConfiguration.builder()
                    .durable(VALUES)
                    .ackPolicy(AckPolicy.Explicit)
                    .maxAckPending(-1)
                    .build());
    JetStream out = connection.jetStream();
    return new SendingEnd() {
      @Override
      public void send(byte[] value) throws Exception {
        var _ = out.publish(place, value);
      }

      @Override
      public void inAllSenders(Body body) throws Exception {
        Senders.run(areVirtual ? Thread.ofVirtual() : Thread.ofPlatform(), senders, body);
      }

      @Override
      public void close() throws Exception {
        boolean _ = connection.jetStreamManagement().deleteStream(place);
        connection.close();
      }
    };
  }

  @Override
  public AutoCloseable receive(String server, String place, Consumer<byte[]> taker)
      throws Exception {
    Connection connection = Nats.connect(server);
    MessageConsumer consumer =
        connection
            .getConsumerContext(place, VALUES)
            .consume(
                message -> {
                  taker.accept(message.getData());
                  message.ack();
                });
    return () -> {
      consumer.close();
      connection.close();
    };
  }
}
