package io.heddle;

import io.heddle.internal.base.InvalidSettingException;
import io.heddle.internal.inspect.Inspector;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.trace.FlightRecorder;
import io.heddle.internal.trace.TraceFile;
import io.heddle.internal.trace.TraceWriter;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The recordings of scheduler events that the settings of the program ask for.
 *
 * @param file the file to which all schedulers are traced, from the first scheduler to the end of
 *     the program; null if the settings ask for none
 * @param flight the flight recorder, which keeps the last seconds in memory; null if it is off
 */
record TraceSettings(@Nullable TraceFile file, @Nullable FlightRecorder flight) {
  /** The result of the first {@link #read()} that did not throw; null before that call. */
  private static @Nullable TraceSettings read;

  /**
   * Returns the recordings. The first call reads the settings and opens the file. Throws if a
   * setting is invalid or the file cannot be written; the next call then tries again.
   */
  static synchronized TraceSettings read() {
    TraceSettings known = read;
    if (known == null) {
      known = new TraceSettings(openFile(), openFlight());
      read = known;
    }
    return known;
  }

  /** Starts the recordings for {@code sched}, which has just been made. */
  void applyTo(Sched sched) {
    if (file != null) {
      Inspector.of(sched).traces().join(file);
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
              Thread.ofPlatform().name("heddle-trace-end").unstarted(() -> end(opened)));
      return opened;
    } catch (IOException | InvalidPathException e) {
      throw new InvalidSettingException(
          set.where() + " is \"" + set.text() + "\": that file cannot be written: " + e, e);
    }
  }

  private static void end(TraceFile opened) {
    Sched.all().forEach(sched -> Inspector.of(sched).traces().tellCpu());
    TraceWriter.shared().close(opened);
  }

  private static @Nullable FlightRecorder openFlight() {
    Settings.Value set = Settings.flight();
    try {
      return set == null ? null : new FlightRecorder(Path.of(set.text()).toAbsolutePath());
    } catch (InvalidPathException e) {
      throw new InvalidSettingException(
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
