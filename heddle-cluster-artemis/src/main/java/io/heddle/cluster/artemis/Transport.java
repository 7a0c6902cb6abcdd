package io.heddle.cluster.artemis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.remoting.impl.invm.InVMConnectorFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptorFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnectorFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.jspecify.annotations.Nullable;

/** How nodes and the hub use Artemis: messages that are not stored, and carry packets. */
final class Transport {
  /** Where nodes send to. */
  static final String HUB = "heddle.hub";

  /** Begins the names of the queues of nodes. */
  static final String NODE = "heddle.node.";

  /** The property with the queue of the sender. */
  static final String FROM = "from";

  static final String HUB_USER = "hub";
  static final String NODE_USER = "node";

  /** More packets are not put into one message, unless one alone is larger. */
  private static final int MESSAGE_BYTES = 256 << 10;

  /** A connection without a sign of life for this long is lost. */
  private static final long SILENCE_MILLIS = 10_000;

  private static final long CALL_MILLIS = 10_000;

  private Transport() {}

  /** Returns how a node in any JVM reaches a hub. */
  static TransportConfiguration tcp(
      String host, int port, @Nullable SSLContext tls, long connectMillis) {
    Map<String, Object> settings = tcpSettings(host, port, tls);
    settings.put(TransportConstants.NETTY_CONNECT_TIMEOUT, (int) connectMillis);
    return new TransportConfiguration(NettyConnectorFactory.class.getName(), settings);
  }

  /** Returns where a hub listens. */
  static TransportConfiguration listen(
      String name, String host, int port, @Nullable SSLContext tls) {
    Map<String, Object> settings = tcpSettings(host, port, tls);
    settings.put(TransportConstants.PROTOCOLS_PROP_NAME, "CORE");
    return new TransportConfiguration(NettyAcceptorFactory.class.getName(), settings, name);
  }

  private static Map<String, Object> tcpSettings(String host, int port, @Nullable SSLContext tls) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(TransportConstants.HOST_PROP_NAME, host);
    settings.put(TransportConstants.PORT_PROP_NAME, port);
    settings.put(TransportConstants.USE_EPOLL_PROP_NAME, false);
    settings.put(TransportConstants.USE_KQUEUE_PROP_NAME, false);
    if (tls != null) {
      settings.put(TransportConstants.SSL_ENABLED_PROP_NAME, true);
      settings.put(TransportConstants.SSL_CONTEXT_PROP_NAME, tls);
    }
    return settings;
  }

  /** Returns how a hub reaches its own broker. */
  static TransportConfiguration inside(int id) {
    return new TransportConfiguration(
        InVMConnectorFactory.class.getName(),
        Map.of(
            org.apache.activemq.artemis.core.remoting.impl.invm.TransportConstants
                .SERVER_ID_PROP_NAME,
            id));
  }

  /**
   * Returns a locator whose connections do not repair themselves: a lost connection ends with its
   * queue, so that the hub gives back at once what the node held.
   */
  static ServerLocator locator(TransportConfiguration where) {
    return ActiveMQClient.createServerLocatorWithoutHA(where)
        .setReconnectAttempts(0)
        .setInitialConnectAttempts(1)
        .setConnectionTTL(SILENCE_MILLIS)
        .setClientFailureCheckPeriod(SILENCE_MILLIS / 2)
        .setCallTimeout(CALL_MILLIS)
        .setConfirmationWindowSize(-1)
        .setProducerWindowSize(-1)
        .setConsumerWindowSize(-1)
        .setBlockOnNonDurableSend(false)
        .setMinLargeMessageSize(Integer.MAX_VALUE);
  }

  static ClientSession session(ClientSessionFactory factory, String user, String password)
      throws ActiveMQException {
    return factory.createSession(user, password, false, true, true, true, 0);
  }

  /** Sends packets, in as few messages as their sizes allow. */
  static void send(
      ClientSession session, ClientProducer to, String address, String from, List<Packet> packets)
      throws ActiveMQException {
    List<Packet> together = new ArrayList<>();
    int size = 0;
    for (Packet each : packets) {
      int more = Integer.BYTES + each.size();
      if (size > 0 && size + more > MESSAGE_BYTES) {
        to.send(address, message(session, from, together, size));
        together.clear();
        size = 0;
      }
      together.add(each);
      size += more;
    }
    to.send(address, message(session, from, together, size));
  }

  private static ClientMessage message(
      ClientSession session, String from, List<Packet> packets, int size) {
    ByteBuffer body = ByteBuffer.allocate(size);
    packets.forEach(each -> each.appendTo(body));
    ClientMessage message = session.createMessage(false);
    message.putStringProperty(FROM, from);
    message.getBodyBuffer().writeBytes(body.array());
    return message;
  }

  static Packet.Reader packets(ClientMessage message) {
    ActiveMQBuffer body = message.getReadOnlyBodyBuffer();
    byte[] bytes = new byte[body.readableBytes()];
    body.readBytes(bytes);
    return new Packet.Reader(bytes);
  }
}
