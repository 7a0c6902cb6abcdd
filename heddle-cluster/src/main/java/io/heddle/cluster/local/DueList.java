package io.heddle.cluster.local;

import io.heddle.Go;
import io.heddle.Timer;
import java.time.Duration;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Actions of a hub that are to run later. The hub's lock guards everything, also their runs. */
final class DueList {
  /** A timer that is this late belongs to a scheduler that was closed: it will never fire. */
  private static final long LOST_NANOS = 1_000_000_000;

  private final LocalHub hub;
  private final TreeSet<Due> dues = new TreeSet<>();
  private long ids;
  private @Nullable Timer timer;
  private long timerWhen;

  DueList(LocalHub hub) {
    this.hub = hub;
  }

  /** An action with its time. */
  static final class Due implements Comparable<Due> {
    private final long when;
    private final long id;
    private final Runnable action;

    private Due(long when, long id, Runnable action) {
      this.when = when;
      this.id = id;
      this.action = action;
    }

    @Override
    public int compareTo(Due other) {
      int byTime = Long.compare(when - other.when, 0);
      return byTime != 0 ? byTime : Long.compare(id, other.id);
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(id);
    }
  }

  /** Runs {@code action} after {@code nanos}; in the order of adding if the times are equal. */
  Due add(long nanos, Runnable action) {
    Due due = new Due(Go.nanoTime() + Math.max(0, nanos), ids++, action);
    dues.add(due);
    arm();
    return due;
  }

  void cancel(@Nullable Due due) {
    if (due != null) {
      dues.remove(due);
    }
  }

  /** Runs what is due. */
  void runDue() {
    long now = Go.nanoTime();
    while (!dues.isEmpty() && dues.first().when - now <= 0) {
      Due due = dues.first();
      dues.remove(due);
      due.action.run();
    }
    arm();
  }

  private void arm() {
    if (dues.isEmpty()) {
      return;
    }
    long now = Go.nanoTime();
    Due first = dues.first();
    boolean isArmed = timer != null && timerWhen - first.when <= 0;
    if (isArmed && now - timerWhen < LOST_NANOS) {
      return;
    }
    if (timer != null) {
      timer.stop();
    }
    timerWhen = first.when;
    timer = Timer.schedule(Duration.ofNanos(Math.max(0, first.when - now)), this::fire);
  }

  private void fire() {
    hub.run(
        () -> {
          timer = null;
          runDue();
        });
  }
}
