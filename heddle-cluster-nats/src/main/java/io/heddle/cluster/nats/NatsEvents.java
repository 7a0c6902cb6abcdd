package io.heddle.cluster.nats;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import org.jspecify.annotations.Nullable;

/** Tells an engine about its connection. */
final class NatsEvents implements ConnectionListener {
  private final String address;
  private volatile @Nullable NatsEngine engine;

  NatsEvents(String address) {
    this.address = address;
  }

  void tell(NatsEngine engine) {
    this.engine = engine;
    if (engine.isGone()) {
      ended(engine, "");
    }
  }

  @Override
  @SuppressWarnings("deprecation") // abstract, though the client calls the other one
  public void connectionEvent(Connection connection, Events event) {
    connectionEvent(connection, event, 0L, "");
  }

  @Override
  public void connectionEvent(Connection connection, Events event, Long time, String uri) {
    NatsEngine told = engine;
    if (told == null) {
      return;
    }
    switch (event) {
      case DISCONNECTED -> told.disconnected();
      case RESUBSCRIBED -> told.reconnected();
      case CLOSED -> ended(told, connection.getLastError());
      default -> {}
    }
  }

  private void ended(NatsEngine told, @Nullable String why) {
    String reason = why == null || why.isEmpty() ? "the connection is closed" : why;
    told.ended(NatsLink.failure(address, reason, null));
  }
}
