package io.heddle.cli.trace;

import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Passes on what happened in a part of a trace; what reaches beyond it is cut off there. */
final class Cut implements Story.Listener {
  private final long from;
  private final long to;
  private final Story.Listener listener;

  Cut(TraceData.Part part, Story.Listener listener) {
    this.from = part.from();
    this.to = part.to();
    this.listener = listener;
  }

  private boolean isIn(long begin, long end) {
    return end >= from && begin <= to;
  }

  @Override
  public void event(Event e) {
    if (isIn(e.time, e.time)) {
      listener.event(e);
    }
  }

  @Override
  public void ran(Story.G g, TraceTrack m, int p, long begin, long end, String then) {
    if (isIn(begin, end)) {
      listener.ran(g, m, p, Math.max(begin, from), Math.min(end, to), end > to ? "" : then);
    }
  }

  @Override
  public void wasReady(Story.G g, long begin, long end, @Nullable Event by, Event run) {
    if (isIn(begin, end)) {
      boolean isWhole = begin >= from && end <= to;
      listener.wasReady(g, Math.max(begin, from), Math.min(end, to), isWhole ? by : null, run);
    }
  }

  @Override
  public void waited(Story.G g, String reason, long begin, long end) {
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
                  + Summary.time(end)
                  + ": there is nothing from "
                  + Summary.time(from)
                  + " on"));
    }
    listener.end(from, Math.min(end, to));
  }
}
