package frameworks;

import io.heddle.Scheduler;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.springframework.core.task.support.TaskExecutorAdapter;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.listener.MessageListener;

/** Listeners of Spring for Apache Kafka, each with a goroutine; the consumers have no broker. */
final class KafkaListeners {
  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

  private KafkaListeners() {}

  public static void main(String[] args) throws InterruptedException {
    Proof.of(KafkaListeners::listen);
  }

  private static void listen(Runnable task) {
    ContainerProperties properties = new ContainerProperties(ORDERS.topic());
    // recipe
    properties.setListenerTaskExecutor(new TaskExecutorAdapter(Scheduler.shared().executor()));
    // end
    properties.setGroupId("shop");
    properties.setMessageListener((MessageListener<Object, Object>) order -> task.run());
    new KafkaMessageListenerContainer<>(new WithOneOrder(), properties).start();
  }

  private static final class WithOneOrder extends DefaultKafkaConsumerFactory<Object, Object> {
    WithOneOrder() {
      super(Map.of());
    }

    @Override
    protected Consumer<Object, Object> createKafkaConsumer(Map<String, Object> configuration) {
      MockConsumer<Object, Object> consumer = new MockConsumer<>("earliest");
      consumer.schedulePollTask(
          () -> {
            consumer.updateBeginningOffsets(Map.of(ORDERS, 0L));
            consumer.rebalance(List.of(ORDERS));
            consumer.addRecord(new ConsumerRecord<>("orders", 0, 0L, "key", "an order"));
          });
      return consumer;
    }
  }
}
