package io.heddle.cluster.nats;

import io.heddle.cluster.contract.KillRunContract;
import java.io.IOException;

/** The random-kill run, on one server, which is killed, too. */
class NatsKillRunTest extends KillRunContract {
  private NatsServer server;

  @Override
  protected String startEngine() throws Exception {
    server = NatsServer.start();
    return server.uri();
  }

  @Override
  protected void killEngine(String uri) throws Exception {
    server.kill();
    engineKilled();
    server.restart();
  }

  @Override
  protected boolean isForgetful() {
    return true; // see docs/guide/cluster-nats.md, "Limits"
  }

  @Override
  protected void stopEngine() throws IOException {
    server.close();
  }
}
