package io.heddle.cli.trace;

import java.util.ArrayList;
import java.util.List;

/** The events of one M, of the monitor, or of threads outside. */
public final class TraceTrack {
  /** Of whom a track is, by number in the file. */
  public enum Of {
    M,
    OUTSIDE,
    MONITOR;

    static final List<Of> ALL = List.of(values());
  }

  /** Where in the file some of its events are. */
  record Piece(int from, int to, boolean afterCut) {}

  final int number;
  final TraceScheduler scheduler;
  final Of of;
  final int who;
  final List<Piece> pieces = new ArrayList<>();

  TraceTrack(int number, TraceScheduler scheduler, Of of, int who) {
    this.number = number;
    this.scheduler = scheduler;
    this.of = of;
    this.who = who;
  }

  public Of of() {
    return of;
  }

  @Override
  public String toString() {
    return scheduler.name
        + "/"
        + switch (of) {
          case M -> "M" + who;
          case OUTSIDE -> "outside";
          case MONITOR -> "sysmon";
        };
  }
}
