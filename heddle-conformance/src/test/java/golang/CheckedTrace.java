package golang;

import io.heddle.Scheduler;
import io.heddle.cli.trace.Check;
import io.heddle.cli.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * With {@code -Dheddle.conformance.trace=true}: the trace of a test's scheduler, in which every event must be legal. The
 * scheduler is closed before it, which ends the file.
 */
final class CheckedTrace implements AutoCloseable {
  private static final boolean ON = Boolean.getBoolean("heddle.conformance.trace");

  private final Path file;

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
    Check check = Check.of(TraceReader.read(file));
    if (!check.isFine() || !check.notes().isEmpty()) {
      throw new AssertionError(
          "the trace %s has %d events that cannot be; the first: %s %s"
              .formatted(
                  file,
                  check.errors().size(),
                  check.errors().stream().limit(5).toList(),
                  check.notes()));
    }
    Files.delete(file);
  }
}
