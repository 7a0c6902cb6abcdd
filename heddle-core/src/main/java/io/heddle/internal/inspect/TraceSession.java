package io.heddle.internal.inspect;

import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.CpuTimes;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.trace.CpuRecord;
import io.heddle.internal.trace.FlightRecorder;
import io.heddle.internal.trace.LiveGoroutineRecord;
import io.heddle.internal.trace.Recording;
import io.heddle.internal.trace.TraceFile;
import io.heddle.internal.trace.TraceWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Turns the recording of a scheduler on and off: for a trace file of this scheduler alone, for a
 * file that all schedulers share, and for the flight recorder. {@link
 * io.heddle.internal.sched.TraceHooks} records the events.
 */
public final class TraceSession {
  private final Sched sched;
  private final ReentrantLock lock = new ReentrantLock();

  // These fields are guarded by lock. The volatile fields are also read without the lock.
  private @Nullable Recording recording;
  private int users; // the number of files and flight recorders that use the recording
  private volatile @Nullable TraceFile file;
  private volatile @Nullable FlightRecorder flight;
  private List<CpuRecord> cpuBefore = List.of(); // the CPU times when the file was opened
  private @Nullable TraceFile shared; // the file that all schedulers share, until it has CPU times

  TraceSession(Sched sched) {
    this.sched = sched;
  }

  /** Adds one user of the recording. Recording begins with the first user. */
  public Recording begin() {
    lock.lock();
    try {
      Recording current = recording;
      if (current == null) {
        current =
            TraceWriter.shared().newRecording(sched.name(), sched.procs(), VirtualThreads::osYield);
        try {
          sched.tracing().attach(current);
        } catch (OutOfMemoryError e) {
          TraceWriter.shared().forget(current);
          throw e;
        }
        recording = current;
      }
      users++;
      return current;
    } finally {
      lock.unlock();
    }
  }

  /** Removes one user of the recording. Recording stops when the last user has been removed. */
  public void end() {
    lock.lock();
    try {
      Recording current = recording;
      if (users == 1 && current != null) {
        sched.tracing().detach();
        recording = null;
        TraceWriter.shared().forget(current);
      }
      users--;
    } finally {
      lock.unlock();
    }
  }

  /** Writes the living goroutines to a file that already gets the events of this scheduler. */
  private void tellLiving(TraceFile to, Recording of) {
    List<LiveGoroutineRecord> living = new ArrayList<>();
    sched
        .registry()
        .forEach(g -> living.add(new LiveGoroutineRecord(g.id(), g.site(), g.thread().getName())));
    TraceWriter.shared().living(to, of, living);
  }

  /**
   * Adds this scheduler to {@code to}, a file that all schedulers share. Writes the living
   * goroutines to the file now; {@link #tellCpu} writes the CPU times. Called once, before the
   * scheduler runs a goroutine.
   */
  public void join(TraceFile to) {
    tellLiving(to, begin());
    shared = to;
  }

  /**
   * Writes the CPU times to the file that all schedulers share, before that file is closed. Does
   * nothing if this scheduler is not in such a file, or if its CPU times are there already.
   */
  public void tellCpu() {
    lock.lock();
    try {
      TraceFile to = shared;
      shared = null;
      if (to != null && recording != null) {
        tellCpu(to, recording, List.of());
      }
    } finally {
      lock.unlock();
    }
  }

  private void tellCpu(TraceFile to, Recording of, List<CpuRecord> before) {
    Map<String, Long> old = new HashMap<>();
    before.forEach(each -> old.put(each.isLabel() + each.by(), each.nanos()));
    List<CpuRecord> during =
        cpuTimes().stream()
            .map(
                now ->
                    new CpuRecord(
                        now.by(),
                        now.isLabel(),
                        now.nanos() - old.getOrDefault(now.isLabel() + now.by(), 0L)))
            .filter(each -> each.nanos() > 0)
            .toList();
    TraceWriter.shared().cpu(to, of, Inspector.of(sched).cpuTimes().isExact(), during);
  }

  private List<CpuRecord> cpuTimes() {
    CpuTimes times = Inspector.of(sched).cpuTimes();
    return Stream.concat(
            times.bySite().stream().map(use -> new CpuRecord(use.by(), false, use.nanos())),
            times.byLabel().stream().map(use -> new CpuRecord(use.by(), true, use.nanos())))
        .toList();
  }

  /** Returns the file to which this scheduler alone is traced; null if there is none. */
  public @Nullable Path file() {
    TraceFile to = file;
    return to == null ? null : to.path();
  }

  /**
   * Traces to a file.
   *
   * @throws IllegalStateException if this scheduler is traced to a file already
   */
  public TraceFile open(Path path) throws IOException {
    lock.lock();
    try {
      TraceFile before = file;
      if (before != null) {
        throw new IllegalStateException(
            "scheduler "
                + sched.name()
                + " is already traced, to "
                + before.path()
                + ": close that trace first");
      }
      Recording of = begin();
      TraceFile opened = null;
      try {
        opened = TraceWriter.shared().open(path, of, e -> failed(path, e));
        tellLiving(opened, of);
        cpuBefore = cpuTimes();
        file = opened;
        return opened;
      } catch (Throwable t) {
        if (opened != null) {
          TraceWriter.shared().close(opened);
        }
        end();
        throw t;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends the trace to {@code opened}. Does nothing if that trace has been ended before. */
  public void close(TraceFile opened) {
    lock.lock();
    try {
      if (file == opened) {
        file = null;
        try {
          if (recording != null) {
            tellCpu(opened, recording, cpuBefore);
          }
          TraceWriter.shared().close(opened);
        } catch (OutOfMemoryError e) {
          file = opened; // so that the caller can try again
          throw e;
        }
        end();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends all recording, after the scheduler was closed. The call may fail for lack of memory, and
   * may then be repeated.
   */
  void closeAll() {
    TraceFile left = file;
    if (left != null) {
      close(left);
    }
    tellCpu();
    lock.lock();
    try {
      while (recording != null) {
        end();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Starts to keep the events of the last seconds in memory, so that {@link #dumpFlight} can write
   * them.
   */
  public void attachFlightRecorder(FlightRecorder recorder) {
    Recording _ = begin();
    flight = recorder;
  }

  /** Returns the flight recorder; null if none is attached. */
  public @Nullable FlightRecorder flight() {
    return flight;
  }

  /**
   * Writes the events of the last seconds to a file, after a deadlock or a stall was detected.
   *
   * @return a sentence that names the file, or says why it cannot be written; null if no flight
   *     recorder is attached, or if it has written its largest number of files
   */
  @Nullable String dumpFlight() {
    FlightRecorder recorder = flight;
    if (recorder == null) {
      return null;
    }
    try {
      Path written = recorder.dumpForAlarm();
      return written == null ? null : "what led to it is in " + written;
    } catch (IOException e) {
      return "what led to it cannot be written: " + e;
    }
  }

  private void failed(Path path, IOException e) {
    sched.logLater("the trace " + path + " ends here, because it cannot be written", e);
  }
}
