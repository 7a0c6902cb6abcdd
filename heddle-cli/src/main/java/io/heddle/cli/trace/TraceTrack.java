package io.heddle.cli.trace;

import java.util.ArrayList;
import java.util.List;

/** The events of one M, of the monitor, or of threads outside the scheduler. */
public final class TraceTrack {
  /** The owner of a track, in the order of the numbers in the file. */
  public enum Owner {
    M,
    OUTSIDE,
    MONITOR;

    static final List<Owner> ALL = List.of(values());
  }

  /** A range of bytes in the file with events of this track. */
  record Piece(int from, int to, boolean afterCut) {}

  final int number;
  final TraceScheduler scheduler;
  final Owner owner;
  final int ownerNumber;
  final List<Piece> pieces = new ArrayList<>();

  TraceTrack(int number, TraceScheduler scheduler, Owner of, int who) {
    this.number = number;
    this.scheduler = scheduler;
    this.owner = of;
    this.ownerNumber = who;
  }

  public Owner owner() {
    return owner;
  }

  @Override
  public String toString() {
    return scheduler.name
        + "/"
        + switch (owner) {
          case M -> "M" + ownerNumber;
          case OUTSIDE -> "outside";
          case MONITOR -> "sysmon";
        };
  }
}
