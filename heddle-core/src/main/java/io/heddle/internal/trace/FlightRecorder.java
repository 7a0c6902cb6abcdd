package io.heddle.internal.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the trace events of the last seconds, of all schedulers, in memory. Writes them to a file
 * on request or on an alarm, which is the report of a deadlock or a stall.
 */
public final class FlightRecorder {
  /**
   * The size of the ring: enough for 10 s of 500 000 switches per second. For a program with more
   * switches per second the ring keeps less than 10 s.
   */
  private static final long MAX_BYTES = 32 << 20;

  /**
   * The largest number of files that are written for alarms, so that a program that fails
   * repeatedly does not fill the disk.
   */
  private static final int MAX_ALARMS = 10;

  private final Path file;
  private final FlightRing ring = TraceWriter.shared().fly(MAX_BYTES);
  private final AtomicInteger alarms = new AtomicInteger();

  /**
   * Creates a recorder that writes a file for each alarm: {@code file} for the first alarm, the
   * same name with the suffix {@code .2} for the second, and so on.
   */
  public FlightRecorder(Path file) {
    this.file = file;
  }

  /** Writes the recorded events to the file {@code to}. */
  public void dump(Path to) throws IOException {
    TraceWriter.shared().dump(ring, to);
  }

  /**
   * Writes the recorded events to the next file for alarms, and returns its path. After {@link
   * #MAX_ALARMS} calls, writes nothing and returns null.
   */
  public @Nullable Path dumpForAlarm() throws IOException {
    int n = alarms.incrementAndGet();
    if (n > MAX_ALARMS) {
      return null;
    }
    Path to = n == 1 ? file : file.resolveSibling(file.getFileName() + "." + n);
    dump(to);
    return to;
  }
}
