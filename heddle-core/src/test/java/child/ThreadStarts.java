package child;

import java.nio.file.Path;
import jdk.jfr.Recording;

/** An agent that records the start of each thread, from now on, in the file that it is given. */
public final class ThreadStarts {
  private ThreadStarts() {}

  public static void premain(String file) throws Exception {
    Recording recording = new Recording();
    recording.enable("jdk.ThreadStart");
    recording.setDestination(Path.of(file));
    recording.setDumpOnExit(true);
    recording.start();
  }
}
