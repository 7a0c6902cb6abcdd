package io.heddle.cluster.nats;

import io.heddle.cluster.ClusterException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Three processes {@code nats-server} that are a cluster. */
final class ThreeServers implements AutoCloseable {
  private static final int COUNT = 3;

  private final List<NatsServer> servers = new ArrayList<>();

  ThreeServers() throws Exception {
    List<String> routes = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      routes.add("nats://127.0.0.1:" + NatsServer.freePort());
    }
    for (int i = 0; i < COUNT; i++) {
      servers.add(
          NatsServer.start(
              "--name",
              "n" + i,
              "--cluster_name",
              "three",
              "--cluster",
              routes.get(i),
              "--routes",
              String.join(",", routes)));
    }
  }

  String uri() {
    return String.join(",", servers.stream().map(NatsServer::uri).toList());
  }

  NatsServer get(int i) {
    return servers.get(i);
  }

  /** Opens something. The servers need some seconds to agree on a leader. */
  static <T> T whenReady(Callable<T> open) throws Exception {
    while (true) {
      try {
        return open.call();
      } catch (ClusterException e) {
        TimeUnit.MILLISECONDS.sleep(200); // the timeout of the test ends this
      }
    }
  }

  /** Returns which of the servers leads a stream. */
  int leaderOf(String stream) throws Exception {
    try (io.nats.client.Connection raw = io.nats.client.Nats.connect(servers.getFirst().uri())) {
      String leader = raw.jetStreamManagement().getStreamInfo(stream).getClusterInfo().getLeader();
      return Integer.parseInt(leader.substring(1));
    }
  }

  @Override
  public void close() throws Exception {
    for (NatsServer each : servers) {
      each.close();
    }
  }
}
