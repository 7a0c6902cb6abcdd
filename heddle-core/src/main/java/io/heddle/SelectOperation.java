package io.heddle;

import io.heddle.internal.base.FastRandom;
import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedClock;
import io.heddle.internal.timer.Deadline;
import io.heddle.internal.wait.WaitNode;
import io.heddle.internal.wait.WaitState;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One select statement at work, in Go's three passes: look for what can be done now; wait at all channels; leave those
 * that did not fire. Kept by its first case, so that a loop with the same cases allocates nothing.
 */
final class SelectOperation {
  /*
   * In each pass all channels are locked, in one order for all selects (Chan.order), so that what is seen holds at one
   * moment. Between the passes others may fire one of the places, once (Wait). To do one of several that are ready takes
   * no such moment: whichever it is, it was ready when it was done. So it is tried first, with one lock.
   *
   * A round's places are in no queue when the round is over, so nobody who holds a channel's lock can fire one later. A
   * timer has no lock: it may be on its way when its arming is over. It looks up the round, then whether its arming is
   * still the last; only then the round is that of its arming, since a new one begins after the timer was stopped.
   *
   * Checked by: SelectTest, SelectStress.
   */
  private final Case<?>[] cases;
  private final WaitNode[] places;

  /** The numbers of those with a channel, in the order in which channels are locked; of one channel, in any. */
  private final int[] ordered;

  private final WaitState wait = new WaitState();
  private final FastRandom random = new FastRandom(SchedClock.anySeed());
  private final @Nullable Case<?> orElse;
  private final @Nullable Case<?> first;
  private @Nullable Deadline alarm;

  // Of the present round.
  private @Nullable WaitNode met;
  private @Nullable Object result;

  private SelectOperation(Case<?>[] cases) {
    if (cases.length > WaitState.MAX_PLACES) {
      throw new IllegalArgumentException(
          cases.length + " cases: allowed are up to " + WaitState.MAX_PLACES);
    }
    this.cases = cases;
    this.orElse = theOnly(cases, Case.Kind.OR_ELSE);
    this.first = earliest(cases);
    this.ordered = inOrder(cases);
    this.places = new WaitNode[cases.length];
    Arrays.setAll(places, i -> new WaitNode(wait, i));
  }

  static SelectOperation of(Case<?>[] cases) {
    for (Case<?> each : cases) {
      Objects.requireNonNull(each, "a case");
    }
    SelectOperation last = cases.length == 0 ? null : cases[0].selecting;
    if (last != null && Arrays.equals(last.cases, cases)) {
      return last;
    }
    return new SelectOperation(cases.clone());
  }

  Case<?> select() throws InterruptedException {
    StackHeadroom.ensure();
    CreatorScheduler.recordUse();
    use();
    Case<?> fired;
    Object v;
    try {
      fired = run();
      v = result;
    } finally {
      met = null;
      result = null;
      endUse(cases.length);
    }
    fired.fired(v);
    return fired;
  }

  private Case<?> run() throws InterruptedException {
    long round = 0;
    Case<?> now = tryOne();
    if (now != null) {
      return now;
    }
    lockAll();
    try {
      now = tryNow();
      if (now == null && orElse == null) {
        round = enqueue();
      }
    } finally {
      unlockAll();
    }
    Chan.wake(met);
    if (now != null) {
      return now;
    }
    return orElse != null ? orElse : waitFor(round);
  }

  /**
   * Before the first pass: chooses one of those that look ready, each with the same probability, and does that one under
   * the lock of its channel alone; null if there is none, or it is not ready any more.
   */
  private @Nullable Case<?> tryOne() {
    Case<?> chosen = choose(false);
    if (chosen == null || chosen.chan == null) {
      return chosen;
    }
    boolean done;
    chosen.chan.lock();
    try {
      done = perform(chosen);
    } finally {
      chosen.chan.unlock();
    }
    Chan.wake(met);
    return done ? chosen : null;
  }

  /** The first pass: does one of those that can be done, each with the same probability; null if there is none. */
  private @Nullable Case<?> tryNow() {
    for (; ; ) {
      Case<?> ready = choose(true);
      if (ready == null || perform(ready)) {
        return ready;
      }
      // Who waited there has left at this moment; it is not counted as ready any more.
    }
  }

  /** One of those that are ready, or, without the locks, look so; null if there is none. */
  private @Nullable Case<?> choose(boolean locked) {
    Case<?> chosen = null;
    int ready = 0;
    for (Case<?> each : cases) {
      if ((locked ? each.isReady() : each.looksReady()) && random.next(++ready) == 0) {
        chosen = each;
      }
    }
    return chosen;
  }

  private boolean perform(Case<?> ready) {
    Chan<?> chan = ready.chan;
    if (chan == null) {
      return true; // no time to wait
    }
    met = ready.kind == Case.Kind.SEND ? chan.sendLocked(value(ready)) : chan.receiveLocked();
    if (met != null && ready.kind == Case.Kind.RECEIVE) {
      result = chan.takeTaken();
    }
    return met != null;
  }

  /** The second pass: waits at all channels. Returns the round. */
  private long enqueue() {
    long round = wait.begin("select");
    wait.setClosedWorld(first == null && isInside());
    for (int i = 0; i < cases.length; i++) {
      places[i].joinRound(round);
      places[i].item = cases[i].toSend;
    }
    shuffleTwins();
    for (int i : ordered) {
      if (cases[i].kind == Case.Kind.SEND) {
        chan(i).waitToSend(places[i]);
      } else {
        chan(i).waitToReceive(places[i]);
      }
    }
    return round;
  }

  /** Of several cases at one channel the first in its queue is served: which one that is, chance decides. */
  private void shuffleTwins() {
    int start = 0;
    for (int i = 1; i < ordered.length; i++) {
      if (chan(ordered[i]) == chan(ordered[start])) {
        int other = start + random.next(i - start + 1);
        int swapped = ordered[i];
        ordered[i] = ordered[other];
        ordered[other] = swapped;
      } else {
        start = i;
      }
    }
  }

  /** Whether all channels were made by goroutines of the caller's scheduler. */
  private boolean isInside() {
    for (int i : ordered) {
      if (!chan(i).isInside()) {
        return false;
      }
    }
    return true;
  }

  private Case<?> waitFor(long round) throws InterruptedException {
    Case<?> timed = null;
    try {
      timed = await(round);
    } catch (Throwable t) {
      if (wait.ended(round) < 0) {
        throw t; // nothing came; if something has, it must not be lost
      }
    } finally {
      boolean _ = wait.giveUp(round); // after an error: nothing more may come
      leave();
      wait.forget();
    }
    int ended = wait.ended(round);
    if (ended < 0) {
      return Objects.requireNonNull(timed);
    }
    result = places[ended].item;
    places[ended].item = null;
    return cases[ended];
  }

  /** Waits for the end of the round; returns the case whose time is over if that was it, else null. */
  private @Nullable Case<?> await(long round) throws InterruptedException {
    Case<?> timed = first;
    if (timed != null) {
      return awaitTimed(round, timed) ? null : timed;
    }
    if (!wait.await(round)) {
      throw new InterruptedException();
    }
    return null;
  }

  /** Whether something else than the time has ended the wait. */
  private boolean awaitTimed(long round, Case<?> timed) throws InterruptedException {
    long nanos = TimeUnit.NANOSECONDS.convert(Objects.requireNonNull(timed.delay));
    G g = VirtualThreads.isOpen() ? Sched.current() : null;
    if (g == null) {
      boolean ended = wait.await(round, nanos);
      if (!ended && Thread.interrupted()) {
        throw new InterruptedException();
      }
      return ended;
    }
    Deadline alarm = alarm();
    alarm.arm(g.sched().timersOfCaller(), g.sched().timeAfter(nanos), 0);
    try {
      if (!wait.await(round)) {
        throw new InterruptedException();
      }
    } finally {
      alarm.stop();
      VarHandle.fullFence(); // the next round begins behind this: see Alarm
    }
    return true;
  }

  /** The third pass: leaves the channels that did not fire. */
  private void leave() {
    lockAll();
    try {
      for (int i : ordered) {
        chan(i).leave(places[i]);
      }
    } finally {
      unlockAll();
    }
    int ended = wait.ended(places.length == 0 ? 0 : places[0].round());
    for (int i = 0; i < places.length; i++) {
      if (i != ended) {
        places[i].item = null;
      }
    }
  }

  private void lockAll() {
    Chan<?> last = null;
    for (int i : ordered) {
      Chan<?> chan = chan(i);
      if (chan != last) {
        chan.lock();
      }
      last = chan;
    }
  }

  private void unlockAll() {
    Chan<?> last = null;
    for (int i : ordered) {
      Chan<?> chan = chan(i);
      if (chan != last) {
        chan.unlock();
      }
      last = chan;
    }
  }

  private Chan<?> chan(int i) {
    return Objects.requireNonNull(cases[i].chan);
  }

  /**
   * Says so if another select uses one of them, and leaves them as they were. For sure if that one uses the first case,
   * too, and with it this object; for the others unless it begins at the same moment.
   */
  private void use() {
    for (int i = 0; i < cases.length; i++) {
      if (!(i == 0 ? cases[i].tryUse() : cases[i].tryUseUnguarded())) {
        endUse(i);
        throw new IllegalStateException("a case (" + cases[i] + ") is used twice at the same time");
      }
    }
    if (cases.length > 0) {
      cases[0].selecting = this;
    }
  }

  /** The first last: who finds it free finds all of this select's work done. */
  private void endUse(int count) {
    for (int i = count - 1; i >= 0; i--) {
      cases[i].endUseRelease();
    }
  }

  private static Object value(Case<?> send) {
    return Objects.requireNonNull(send.toSend);
  }

  private static @Nullable Case<?> theOnly(Case<?>[] cases, Case.Kind kind) {
    Case<?> found = null;
    for (Case<?> each : cases) {
      if (each.kind == kind) {
        if (found != null) {
          throw new IllegalArgumentException("two cases of " + each + ": allowed is one");
        }
        found = each;
      }
    }
    return found;
  }

  /** The one with the shortest time: the others cannot fire before it. */
  private static @Nullable Case<?> earliest(Case<?>[] cases) {
    return Arrays.stream(cases)
        .filter(each -> each.kind == Case.Kind.AFTER)
        .min(Comparator.comparing(each -> Objects.requireNonNullElse(each.delay, Duration.ZERO)))
        .orElse(null);
  }

  private static int[] inOrder(Case<?>[] cases) {
    return IntStream.range(0, cases.length)
        .filter(i -> cases[i].chan != null)
        .boxed()
        .sorted(Comparator.comparingLong(i -> Objects.requireNonNull(cases[i].chan).order()))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private Deadline alarm() {
    Deadline made = alarm;
    if (made == null) {
      made = new Alarm(places[Arrays.asList(cases).indexOf(first)]);
      alarm = made;
    }
    return made;
  }

  /** Ends a wait when its time is over. */
  private static final class Alarm extends Deadline {
    private final WaitNode place;

    Alarm(WaitNode place) {
      this.place = place;
    }

    @Override
    protected void fire(long generation) {
      long round = place.round();
      VarHandle.loadLoadFence(); // the round, then whether it is this arming's: see above
      if (generation() == generation && place.fire(round)) {
        place.owner().wakeUp();
      }
    }
  }
}
