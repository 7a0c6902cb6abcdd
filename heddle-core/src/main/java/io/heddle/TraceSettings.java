package io.heddle;

import io.heddle.internal.inspect.Inspector;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.trace.FlightRecorder;
import io.heddle.internal.trace.Recording;
import io.heddle.internal.trace.TraceFile;
import io.heddle.internal.trace.TraceWriter;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the settings ask to record: a file to which all schedulers are traced, from the first
 * scheduler to the end of the program, and the last seconds in memory.
 */
record TraceSettings(@Nullable TraceFile file, @Nullable FlightRecorder flight) {
  private static @Nullable TraceSettings read;

  /** Reads the settings; the first call opens the file. */
  static synchronized TraceSettings read() {
    TraceSettings known = read;
    if (known == null) {
      known = new TraceSettings(openFile(), openFlight());
      read = known;
    }
    return known;
  }

  /** Starts the recording of a scheduler that has just been made. */
  void applyTo(Sched sched) {
    if (file != null) {
      Recording recording = Inspector.of(sched).traces().begin();
      Inspector.of(sched).traces().tellLiving(file, recording);
    }
    if (flight != null) {
      Inspector.of(sched).traces().attachFlightRecorder(flight);
    }
  }

  private static @Nullable TraceFile openFile() {
    Settings.Value set = Settings.trace();
    if (set == null) {
      return null;
    }
    try {
      TraceFile opened = TraceWriter.shared().open(Path.of(set.text()), null, e -> say(set, e));
      Runtime.getRuntime()
          .addShutdownHook(
              Thread.ofPlatform()
                  .name("heddle-trace-end")
                  .unstarted(() -> TraceWriter.shared().close(opened)));
      return opened;
    } catch (IOException | InvalidPathException e) {
      throw new IllegalArgumentException(
          set.where() + " is \"" + set.text() + "\": that file cannot be written: " + e, e);
    }
  }

  private static @Nullable FlightRecorder openFlight() {
    Settings.Value set = Settings.flight();
    try {
      return set == null ? null : new FlightRecorder(Path.of(set.text()).toAbsolutePath());
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          set.where() + " is \"" + set.text() + "\": that is not a file name: " + e.getMessage(),
          e);
    }
  }

  private static void say(Settings.Value set, IOException e) {
    System.getLogger("io.heddle")
        .log(
            System.Logger.Level.WARNING,
            set.where() + ": the trace ends here, because it could not be written",
            e);
  }
}
