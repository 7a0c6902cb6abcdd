package io.heddle.internal.timer;

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

  /** The real one. */
  final class Sound implements Timers {
    private final LongConsumer onEarlier;
    private volatile TimerHeap heap;

    Sound(LongConsumer onEarlier) {
      this.onEarlier = onEarlier;
      this.heap = new TimerHeap(Thread::yield, onEarlier);
    }

    @Override
    public Alarm alarm(LongConsumer fire) {
      return new SoundAlarm(fire);
    }

    @Override
    public long earliest() {
      return heap.earliest();
    }

    @Override
    public int runDue(long now) {
      return heap.runDue(now);
    }

    @Override
    public boolean runFirstDue(long now) {
      return heap.runFirstDue(now);
    }

    @Override
    public void move() {
      TimerHeap next = new TimerHeap(Thread::yield, onEarlier);
      heap.moveAllTo(next);
      heap = next;
    }

    @Override
    public void checkInvariants() {
      heap.checkInvariants();
    }

    private final class SoundAlarm extends Deadline implements Alarm {
      private final LongConsumer fire;

      SoundAlarm(LongConsumer fire) {
        this.fire = fire;
      }

      @Override
      public boolean arm(long when, long period) {
        return arm(heap, when, period);
      }

      @Override
      protected void fire(long generation) {
        fire.accept(generation);
      }
    }
  }
}
