package io.heddle.cluster.artemis;

import io.heddle.cluster.contract.KillRunContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The random-kill run. One of its processes has the hub; another takes over when it is killed. */
class EmbeddedKillRunTest extends KillRunContract {
  private Path hub() {
    return folder.resolve("hub");
  }

  @Override
  protected String startEngine() {
    return "embedded:" + hub();
  }

  @Override
  protected boolean hasEngine(long pid) throws IOException {
    return hubPid() == pid;
  }

  /** Returns 0 while there is no hub. */
  private long hubPid() throws IOException {
    try {
      return Long.parseLong(Files.readString(hub().resolve("hub.port")).strip().split(" ")[2]);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  @Override
  protected boolean isForgetful() {
    return false;
  }

  @Override
  protected void stopEngine() {}
}
