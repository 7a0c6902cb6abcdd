package io.heddle.internal.timer;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongConsumer;

/** What {@link TimerHeap} and {@link BrokenTimers} have in common, so that one scene can try both. */
interface Timers {
  /** A deadline in these timers. */
  interface Alarm {
    boolean arm(long when, long period);

    boolean stop();
  }

  /** One that, when it fires, calls {@code fire} with the generation. */
  Alarm alarm(LongConsumer fire);

  long earliest();

  int runDue(long now);

  boolean runFirstDue(long now);

  /** Goes on in another heap. By one thread at a time. */
  default void move() {}

  /** When nothing moves. */
  default void checkInvariants() {}

  /** The real one: a heap, or several that take turns in getting what is armed. */
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
