package io.heddle.cli.trace;

import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Passes on the intervals within a part of a trace, and cuts off what reaches beyond it. */
final class TimeRangeFilter implements TraceReplay.Listener {
  private final long from;
  private final long to;
  private final TraceReplay.Listener listener;

  TimeRangeFilter(TraceData.TimeRange part, TraceReplay.Listener listener) {
    this.from = part.from();
    this.to = part.to();
    this.listener = listener;
  }

  private boolean isIn(long begin, long end) {
    return end >= from && begin <= to;
  }

  @Override
  public void event(TraceEvent e) {
    if (isIn(e.time, e.time)) {
      listener.event(e);
    }
  }

  @Override
  public void ran(
      TraceReplay.TracedGoroutine g, TraceTrack m, int p, long begin, long end, String then) {
    if (isIn(begin, end)) {
      listener.ran(g, m, p, Math.max(begin, from), Math.min(end, to), end > to ? "" : then);
    }
  }

  @Override
  public void wasReady(
      TraceReplay.TracedGoroutine g,
      long begin,
      long end,
      @Nullable TraceEvent by,
      TraceEvent run) {
    if (isIn(begin, end)) {
      boolean isWhole = begin >= from && end <= to;
      listener.wasReady(g, Math.max(begin, from), Math.min(end, to), isWhole ? by : null, run);
    }
  }

  @Override
  public void waited(TraceReplay.TracedGoroutine g, String reason, long begin, long end) {
    if (isIn(begin, end)) {
      listener.waited(g, reason, Math.max(begin, from), Math.min(end, to));
    }
  }

  @Override
  public void end(long begin, long end) {
    if (from >= end) {
      throw new UncheckedIOException(
          new TraceException(
              "the trace ends after "
                  + SummaryReport.time(end)
                  + ": it has nothing from "
                  + SummaryReport.time(from)
                  + " on"));
    }
    listener.end(from, Math.min(end, to));
  }
}
