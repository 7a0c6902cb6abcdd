package io.heddle.internal.timer;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongConsumer;

/**
 * The common interface of {@link TimerHeap} and {@link BrokenTimers}, so that one scene can test
 * both.
 */
interface Timers {
  /** A deadline in these timers. */
  interface Alarm {
    boolean arm(long when, long period);

    boolean stop();
  }

  /** Creates a timer that calls {@code fire} with its generation. */
  Alarm alarm(LongConsumer fire);

  long earliest();

  int runDue(long now);

  boolean runFirstDue(long now);

  /** Continues in another heap. Called by one thread at a time. */
  default void move() {}

  /** Called when no other thread is active. */
  default void checkInvariants() {}

  /** The real one: a heap, or several heaps to which timers are armed in turn. */
  final class Sound implements Timers {
    private final LongConsumer onEarlier;
    private final AtomicReferenceArray<TimerHeap> heaps;
    private int moves;

    Sound(LongConsumer onEarlier) {
      this(onEarlier, 1);
    }

    Sound(LongConsumer onEarlier, int n) {
      this.onEarlier = onEarlier;
      this.heaps = new AtomicReferenceArray<>(n);
      for (int i = 0; i < n; i++) {
        heaps.set(i, newHeap());
      }
    }

    @Override
    public Alarm alarm(LongConsumer fire) {
      return new SoundAlarm(fire);
    }

    @Override
    public long earliest() {
      return heaps.get(0).earliest();
    }

    @Override
    public int runDue(long now) {
      int fired = 0;
      for (int i = 0; i < heaps.length(); i++) {
        fired += heaps.get(i).runDue(now);
      }
      return fired;
    }

    @Override
    public boolean runFirstDue(long now) {
      return heaps.get(0).runFirstDue(now);
    }

    @Override
    public void move() {
      int i = moves++ % heaps.length();
      TimerHeap next = newHeap();
      heaps.get(i).moveAllTo(next);
      heaps.set(i, next);
    }

    @Override
    public void checkInvariants() {
      for (int i = 0; i < heaps.length(); i++) {
        heaps.get(i).checkInvariants();
      }
    }

    private TimerHeap newHeap() {
      return new TimerHeap(Thread::yield, onEarlier);
    }

    private final class SoundAlarm extends Deadline implements Alarm {
      private final LongConsumer fire;

      SoundAlarm(LongConsumer fire) {
        this.fire = fire;
      }

      @Override
      public boolean arm(long when, long period) {
        return arm(heaps.get((int) (when % heaps.length())), when, period);
      }

      @Override
      protected void fire(long generation) {
        fire.accept(generation);
      }
    }
  }
}
