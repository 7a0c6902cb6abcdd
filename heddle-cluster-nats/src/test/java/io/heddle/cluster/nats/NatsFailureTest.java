package io.heddle.cluster.nats;

import io.heddle.cluster.contract.EngineServer;
import io.heddle.cluster.contract.FailureContract;
import java.nio.file.Path;

/** Rows of the failure matrix that concern the line, the disk and senders, with a real server. */
class NatsFailureTest extends FailureContract {
  @Override
  protected EngineServer start(Path store) throws Exception {
    return NatsServer.start("-sd", store.toString());
  }

  @Override
  protected boolean goesOnAfterAFullDisk() {
    return false;
  }
}
