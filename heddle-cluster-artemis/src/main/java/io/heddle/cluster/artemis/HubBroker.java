package io.heddle.cluster.artemis;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.invm.InVMConnector;
import org.apache.activemq.artemis.core.remoting.impl.invm.InVMRegistry;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.security.SecurityAuth;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.impl.ActiveMQServerImpl;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.spi.core.security.ActiveMQSecurityManager;

/**
 * The broker of a hub. It carries messages between nodes and hub, asks nodes for the token, and
 * tells when a connection has died. It stores nothing: see {@link HubStore}.
 *
 * <p>A node may send to the hub, and make, read and remove a queue of its own; nothing else.
 */
final class HubBroker {
  private static final AtomicInteger INSIDE_IDS = new AtomicInteger();

  /** Held while a hub of this JVM connects to its own broker, or ends the threads for that. */
  private static final Object INSIDE = new Object();

  private static final String NODES = "nodes";
  private static final String TCP = "tcp";

  private final ActiveMQServer server;
  private final ServerLocator locator;
  private final ClientSession session;
  private final ClientProducer producer;
  private final int port;

  /**
   * Starts a broker.
   *
   * @param folder for what Artemis wants to write besides
   * @param address where it listens, and what nodes must know
   * @param toHub gets the sender and the packets of each message, on one thread
   * @param gone gets the name of each queue that was removed
   */
  HubBroker(
      Path folder,
      EmbeddedAddress address,
      BiConsumer<String, Packet.Reader> toHub,
      Consumer<String> gone)
      throws Exception {
    byte[] random = new byte[16];
    new java.security.SecureRandom().nextBytes(random);
    String secret = HexFormat.of().formatHex(random);
    int inside = INSIDE_IDS.incrementAndGet();
    server =
        new ActiveMQServerImpl(
            configuration(folder, address, inside, secret),
            null,
            new Tokens(secret, address.token()));
    server.registerBrokerPlugin(new GoneQueues(gone));
    locator = Transport.locator(Transport.inside(inside));
    try {
      server.start();
      if (!server.isStarted()) {
        throw new IllegalStateException("Artemis has not started");
      }
      this.port = server.getRemotingService().getAcceptor(TCP).getActualPort();
      synchronized (INSIDE) {
        session = Transport.session(locator.createSessionFactory(), Transport.HUB_USER, secret);
      }
      producer = session.createProducer();
      session
          .createConsumer(Transport.HUB)
          .setMessageHandler(
              message -> {
                String from = message.getStringProperty(Transport.FROM);
                if (from != null) {
                  toHub.accept(from, Transport.packets(message));
                }
              });
      session.start();
    } catch (Exception e) {
      stop();
      throw e;
    }
  }

  private static Configuration configuration(
      Path folder, EmbeddedAddress address, int inside, String secret) throws Exception {
    String unused = folder.resolve("artemis").toString();
    Configuration configuration =
        new ConfigurationImpl()
            .setName("heddle")
            .setPersistenceEnabled(false)
            .setJournalType(JournalType.NIO)
            .setJournalDirectory(unused)
            .setBindingsDirectory(unused)
            .setPagingDirectory(unused)
            .setLargeMessagesDirectory(unused)
            .setSecurityEnabled(true)
            .setClusterPassword(secret) // of a user that Artemis lets in by itself
            .setJMXManagementEnabled(false)
            .setCriticalAnalyzer(false)
            .setGlobalMaxSize(-1)
            .addAddressSetting(
                "#",
                new AddressSettings()
                    .setMaxSizeBytes(-1)
                    .setAutoCreateQueues(false)
                    .setAutoCreateAddresses(false))
            .addQueueConfiguration(
                QueueConfiguration.of(Transport.HUB)
                    .setRoutingType(RoutingType.ANYCAST)
                    .setDurable(false))
            .putSecurityRoles(Transport.HUB, Set.of(role(true, false)))
            .putSecurityRoles(Transport.NODE + "#", Set.of(role(false, true)));
    configuration.addAcceptorConfiguration(
        Transport.listen(TCP, address.host(), address.port(), address.tls()));
    configuration.addAcceptorConfiguration("inside", "vm://" + inside);
    return configuration;
  }

  /** What a node may do at an address: send, or have a queue of its own. */
  private static Role role(boolean sends, boolean receives) {
    return new Role(
        NODES, sends, receives, false, false, receives, receives, false, false, receives, receives,
        false, false);
  }

  int port() {
    return port;
  }

  /** Whether the queue of a node is there. */
  boolean has(String queue) {
    return server.locateQueue(SimpleString.of(queue)) != null;
  }

  /** Sends packets to the queue of a node; they are lost if it is not there any more. */
  void send(String queue, List<Packet> packets) throws ActiveMQException {
    if (has(queue)) {
      Transport.send(session, producer, queue, Transport.HUB, packets);
    }
  }

  void stop() throws Exception {
    locator.close();
    server.stop();
    endThreads();
  }

  /**
   * Ends the threads of connections inside this JVM if no broker is left. They are no daemons and
   * stay for a minute, so a program would stay for a minute after its main method.
   */
  private static void endThreads() {
    synchronized (INSIDE) {
      if (InVMRegistry.instance.size() == 0) {
        InVMConnector.resetThreadPool();
      }
    }
  }

  private record GoneQueues(Consumer<String> gone) implements ActiveMQServerPlugin {
    @Override
    public void afterDestroyQueue(
        Queue queue,
        SimpleString address,
        SecurityAuth session,
        boolean checkConsumerCount,
        boolean removeConsumers,
        boolean autoDeleteAddress) {
      gone.accept(queue.getName().toString());
    }
  }

  /** Lets in the hub itself, and nodes that know the token. */
  private record Tokens(String secret, String token) implements ActiveMQSecurityManager {
    @Override
    public boolean validateUser(String user, String password) {
      return isHub(user, password) || (Transport.NODE_USER.equals(user) && isSame(token, password));
    }

    @Override
    public boolean validateUserAndRole(
        String user, String password, Set<Role> roles, CheckType type) {
      return isHub(user, password)
          || (validateUser(user, password)
              && roles.stream()
                  .anyMatch(each -> NODES.equals(each.getName()) && type.hasRole(each)));
    }

    private boolean isHub(String user, String password) {
      return Transport.HUB_USER.equals(user) && isSame(secret, password);
    }

    /** Takes the same time wherever they differ. */
    private static boolean isSame(String expected, String given) {
      return given != null
          && MessageDigest.isEqual(
              expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
      return "Tokens";
    }
  }
}
