package io.heddle.cluster.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.cluster.Cluster;
import io.heddle.cluster.DeadLetter;
import io.heddle.cluster.Delivery;
import io.heddle.cluster.RemoteChan;
import io.heddle.cluster.contract.EngineServer;
import io.heddle.cluster.contract.MatrixContract;
import io.heddle.cluster.contract.MatrixNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of the failure matrix in which one of several processes is killed, slow or newer. */
class EmbeddedMatrixTest extends MatrixContract {
  @TempDir private Path folder;

  @Override
  protected EngineServer start() throws Exception {
    return HubProcess.start(folder);
  }

  @Test
  void valueThatKillsEveryJvmWithTheHubBecomesADeadLetter() throws Exception {
    String uri = "embedded:" + folder;
    try (Cluster here = Cluster.open(uri, MatrixNode.options("here"))) {
      MatrixNode.chan(here, "poison", String.class).send("poison");
    }
    for (int i = 0; i < MatrixNode.ATTEMPTS; i++) {
      try (MatrixNode victim = new MatrixNode(uri, "victim")) {
        assertThat(victim.line()).isEqualTo("poison");
        assertThat(victim.exitCode()).isEqualTo(134);
      }
    }
    try (Cluster here = Cluster.open(uri, MatrixNode.options("here"));
        MatrixNode next = new MatrixNode(uri, "victim")) {
      RemoteChan<String> out = MatrixNode.chan(here, "poison", String.class);
      out.send("good");
      assertThat(next.line()).as("the poison is not delivered any more").isEqualTo("good");
      try (Delivery<DeadLetter> letter = out.dead().receive()) {
        assertThat(letter.value().attempts()).isEqualTo(MatrixNode.ATTEMPTS);
        letter.ackAndAwait();
      }
    }
  }
}
