package io.heddle.internal.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Keeps the last seconds of all schedulers, and writes them when something goes wrong, or when asked. */
public final class FlightRecorder {
  /** Ten seconds of some 500 000 switches a second; a program that switches faster keeps less. */
  private static final long MOST_BYTES = 32 << 20;

  /** A program that goes wrong again and again is not to fill the disk. */
  private static final int MOST_ALARMS = 10;

  private final Path file;
  private final FlightRing ring = TraceWriter.shared().fly(MOST_BYTES);
  private final AtomicInteger alarms = new AtomicInteger();

  /** {@code file} is for alarms: the second goes to one with {@code .2} behind its name, and so on. */
  public FlightRecorder(Path file) {
    this.file = file;
  }

  public void dump(Path to) throws IOException {
    TraceWriter.shared().dump(ring, to);
  }

  /** Writes it where alarms go; null if that has been done often enough. */
  public @Nullable Path dumpForAlarm() throws IOException {
    int n = alarms.incrementAndGet();
    if (n > MOST_ALARMS) {
      return null;
    }
    Path to = n == 1 ? file : file.resolveSibling(file.getFileName() + "." + n);
    dump(to);
    return to;
  }
}
