package io.heddle.cli.trace;

import io.heddle.internal.base.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes a trace in Chrome's format, which Perfetto also reads. Schedulers become processes, Ps
 * become threads, goroutines become slices, and an arrow leads from the event that made a goroutine
 * ready to the place where it then ran.
 */
public final class ChromeTraceWriter implements TraceReplay.Listener {
  /** The first lane number of Ms without a P, which come after the Ps. */
  private static final int M_LANES = 10_000;

  /** Shorter waits get no arrow, because too many arrows would hide the others. */
  private static final long SHORTEST_ARROW = 1_000;

  private final Writer out;
  private final Set<Long> lanes = new HashSet<>();
  private long arrows;
  private boolean first = true;

  private ChromeTraceWriter(Writer out) {
    this.out = out;
  }

  public static void write(TraceData data, Writer out) throws IOException {
    out.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    try {
      TraceReplay.replay(data, new ChromeTraceWriter(out));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    out.write("\n]}\n");
  }

  @Override
  public void ran(
      TraceReplay.TracedGoroutine g, TraceTrack m, int p, long from, long to, String then) {
    entry(
        "\"ph\":\"X\",\"name\":%s,\"cat\":\"goroutine\",%s,\"ts\":%s,\"dur\":%s,\"args\":{\"goroutine\":%d,\"m\":%d,\"started\":%s}"
            .formatted(
                JsonWriter.text("g" + g.id + " " + g.label()),
                lane(g.scheduler, m, p),
                micros(from),
                micros(to - from),
                g.id,
                m.ownerNumber,
                JsonWriter.text(g.family.site())));
  }

  @Override
  public void wasReady(
      TraceReplay.TracedGoroutine g, long from, long to, @Nullable TraceEvent by, TraceEvent run) {
    if (by == null
        || to - from < SHORTEST_ARROW
        || by.track.owner != TraceTrack.Owner.M
        || by.onG == 0) {
      return;
    }
    long id = ++arrows;
    String what =
        "\"name\":\"%s\",\"cat\":\"wake\",\"id\":%d,"
            .formatted(by.kind.name().toLowerCase(Locale.ROOT), id);
    entry("\"ph\":\"s\"," + what + lane(g.scheduler, by.track, by.p) + ",\"ts\":" + micros(from));
    entry(
        "\"ph\":\"f\",\"bp\":\"e\","
            + what
            + lane(g.scheduler, run.track, run.p)
            + ",\"ts\":"
            + micros(to));
  }

  @Override
  public void event(TraceEvent e) {
    switch (e.kind) {
      case STEAL, RETAKE, PREEMPT, STOP, PROCS, GO_ON, TIMERS, POLL, LOST -> {
        int p = e.kind == EventKind.RETAKE || e.kind == EventKind.PREEMPT ? e.a : e.p;
        entry(
            "\"ph\":\"i\",\"s\":\"t\",\"name\":%s,\"cat\":\"scheduler\",%s,\"ts\":%s"
                .formatted(
                    JsonWriter.text(e.kind.name().toLowerCase(Locale.ROOT)),
                    lane(e.track.scheduler, e.track, p),
                    micros(e.time)));
      }
      default -> {}
    }
  }

  private String lane(TraceScheduler scheduler, TraceTrack m, int p) {
    int tid = p == TraceReplay.NO_P ? M_LANES + m.number : p;
    if (lanes.add((long) scheduler.number << 32 | tid)) {
      String name = p == TraceReplay.NO_P ? m + " without a P" : "P" + p;
      meta("process_name", scheduler.number, 0, JsonWriter.text(scheduler.name));
      meta("thread_name", scheduler.number, tid, JsonWriter.text(name));
      meta("thread_sort_index", scheduler.number, tid, String.valueOf(tid));
    }
    return "\"pid\":" + scheduler.number + ",\"tid\":" + tid;
  }

  private void meta(String what, int pid, int tid, String value) {
    String key = what.endsWith("index") ? "sort_index" : "name";
    entry(
        "\"ph\":\"M\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"args\":{\"%s\":%s}"
            .formatted(what, pid, tid, key, value));
  }

  private void entry(String fields) {
    try {
      out.write(first ? "\n{" : ",\n{");
      first = false;
      out.write(fields);
      out.write('}');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String micros(long nanos) {
    return "%d.%03d".formatted(nanos / 1_000, nanos % 1_000);
  }
}
