package io.heddle.cluster.nats;

import io.heddle.cluster.contract.EngineServer;
import io.heddle.cluster.contract.MatrixContract;

/** Rows of the failure matrix in which one of several processes is killed, slow or newer. */
class NatsMatrixTest extends MatrixContract {
  @Override
  protected EngineServer start() throws Exception {
    return NatsServer.start();
  }
}
