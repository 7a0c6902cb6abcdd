package io.heddle.bench.cluster;

import com.hazelcast.collection.IQueue;
import com.hazelcast.config.Config;
import com.hazelcast.config.MultiMapConfig;
import com.hazelcast.config.QueueConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A queue of Hazelcast. Both processes are members, and each has a copy of what is queued. */
record HazelcastLine() implements Line {
  private static final int SENDERS = 64;
  private static final int TAKEN_AT_ONCE = 100;
  private static final int FIRST_PORT = 15_701;
  private static final int PORTS = 20;
  private static final String LOOPBACK = "127.0.0.1";

  /** A member that finds only others of {@code place}, on the loopback address. */
  static Config member(String place) {
    Config config = new Config().setClusterName(place);
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.logging.type", "none");
    config.setProperty("hazelcast.shutdownhook.enabled", "false");
    var network = config.getNetworkConfig().setPort(FIRST_PORT).setPortCount(PORTS);
    var _ = network.getInterfaces().setEnabled(true).addInterface(LOOPBACK);
    var join = network.getJoin();
    var _ = join.getAutoDetectionConfig().setEnabled(false);
    var _ = join.getMulticastConfig().setEnabled(false);
    var members = join.getTcpIpConfig().setEnabled(true);
    for (int port = FIRST_PORT; port < FIRST_PORT + 2; port++) {
      var _ = members.addMember(LOOPBACK + ":" + port);
    }
    return config
        .addQueueConfig(new QueueConfig(VALUES).setBackupCount(1).setMaxSize(CAPACITY))
        .addMultiMapConfig(
            new MultiMapConfig("__vertx.subs")
                .setBackupCount(1)
                .setValueCollectionType(MultiMapConfig.ValueCollectionType.SET));
  }

  @Override
  public String name() {
    return "Hazelcast IQueue, " + SENDERS + " platform threads";
  }

  @Override
  public String promise() {
    return "in the memory of both";
  }

  @Override
  public SendingEnd send(String server, String place) {
    HazelcastInstance member = Hazelcast.newHazelcastInstance(member(place));
    IQueue<byte[]> queue = member.getQueue(VALUES);
    return new SendingEnd() {
      @Override
      public void send(byte[] value) throws InterruptedException {
        queue.put(value);
      }

      @Override
      public void inAllSenders(Body body) throws Exception {
        Senders.run(Thread.ofPlatform(), SENDERS, body);
      }

      @Override
      public void awaitReceiver() {
        if (member.getCluster().getMembers().size() != 2) {
          throw new IllegalStateException("members: " + member.getCluster().getMembers());
        }
      }

      @Override
      public void close() {
        member.shutdown();
      }
    };
  }

  @Override
  public AutoCloseable receive(String server, String place, Consumer<byte[]> taker) {
    HazelcastInstance member = Hazelcast.newHazelcastInstance(member(place));
    IQueue<byte[]> queue = member.getQueue(VALUES);
    Thread _ = Thread.ofPlatform().daemon().start(() -> take(queue, taker));
    return member::shutdown;
  }

  private static void take(IQueue<byte[]> queue, Consumer<byte[]> taker) {
    try {
      List<byte[]> more = new ArrayList<>();
      while (true) {
        taker.accept(queue.take());
        int _ = queue.drainTo(more, TAKEN_AT_ONCE);
        more.forEach(taker);
        more.clear();
      }
    } catch (InterruptedException | HazelcastInstanceNotActiveException e) {
      // The line is closed.
    }
  }
}
