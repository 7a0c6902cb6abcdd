package golang;

import io.heddle.Scheduler;
import io.heddle.cli.trace.TraceCheck;
import io.heddle.cli.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Traces a test's scheduler with {@code -Dheddle.conformance.trace=true}; every event in the trace
 * must be legal. The scheduler must be closed first, because that completes the file.
 */
final class CheckedTrace implements AutoCloseable {
  private static final boolean ON = Boolean.getBoolean("heddle.conformance.trace");

  private static final AtomicLong TRACES = new AtomicLong();
  private static final AtomicLong EVENTS = new AtomicLong();

  static {
    if (ON) {
      Runtime.getRuntime().addShutdownHook(new Thread(CheckedTrace::sayHowMany));
    }
  }

  private final Path file;

  private static void sayHowMany() {
    System.err.println("checked " + TRACES + " traces, " + EVENTS + " events");
  }

  CheckedTrace() throws IOException {
    file = ON ? Files.createTempFile("conformance", ".trace") : null;
  }

  void begin(Scheduler scheduler) {
    if (file != null) {
      scheduler.trace(file);
    }
  }

  @Override
  public void close() throws IOException {
    if (file == null) {
      return;
    }
    TraceCheck check = TraceCheck.of(TraceReader.read(file));
    if (!check.isFine() || !check.notes().isEmpty()) {
      throw new AssertionError(
          "the trace %s has %d impossible events; the first: %s %s"
              .formatted(
                  file,
                  check.errors().size(),
                  check.errors().stream().limit(5).toList(),
                  check.notes()));
    }
    TRACES.incrementAndGet();
    EVENTS.addAndGet(check.events());
    Files.delete(file);
  }
}
