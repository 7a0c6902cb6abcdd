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
 * The execution of one select statement, in Go's three passes: look for a case that is ready; wait
 * at all channels; leave the channels that did not fire. The first case keeps this object, so that
 * a loop with the same cases allocates nothing.
 */
final class SelectOperation {
  /*
   * In each pass all channels are locked, in one order for all selects (Chan.order). So each pass
   * sees one consistent moment. Between the passes other threads may fire one of the nodes, once
   * (WaitState).
   *
   * To perform one of several ready cases needs no such moment: any case that was ready when it was
   * performed is right. So select first tries that, with one lock (tryOne).
   *
   * A round is one wait: it begins in the second pass (WaitState). After the third pass its nodes
   * are in no queue, so a thread that holds a channel's lock cannot fire one in a later round. The
   * timer of a time limit (Alarm) holds no such lock, and may still be about to fire when it has
   * been stopped. So it reads the number of the round first, and then checks whether its arming is
   * still current. If it is, it has read the round for which it was armed, because the timer is
   * stopped before the next round begins. If that round has ended, firing does nothing.
   *
   * Checked by: SelectTest, SelectStress.
   */
  private final Case<?>[] cases;
  private final WaitNode[] places;

  /**
   * The indices of the cases with a channel, in the order in which the channels are locked. Cases
   * of one channel are in any order.
   */
  private final int[] ordered;

  private final WaitState wait = new WaitState();
  private final FastRandom random = new FastRandom(SchedClock.anySeed());
  private final @Nullable Case<?> orElse;
  private final @Nullable Case<?> first;
  private @Nullable Deadline alarm;

  // The state of the current round.
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
   * Before the first pass: chooses one of the cases that look ready, each with the same
   * probability, and performs it under the lock of its channel alone. Returns null if no case looks
   * ready, or if the chosen case is not ready any more.
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

  /**
   * The first pass: performs one of the ready cases, each with the same probability; returns null
   * if there is none.
   */
  private @Nullable Case<?> tryNow() {
    for (; ; ) {
      Case<?> ready = choose(true);
      if (ready == null || perform(ready)) {
        return ready;
      }
      // The waiter on the other side left at this moment, so the case no longer counts as ready.
    }
  }

  /**
   * Chooses one of the cases that are ready or, without the locks, look ready; null if there is
   * none.
   */
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
      return true; // a time limit of zero or less
    }
    met = ready.kind == Case.Kind.SEND ? chan.sendLocked(value(ready)) : chan.receiveLocked();
    if (met != null && ready.kind == Case.Kind.RECEIVE) {
      result = chan.takeTaken();
    }
    return met != null;
  }

  /** The second pass: queues a node at each channel. Returns the round. */
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

  /**
   * Shuffles the cases of each channel. The first node in a channel's queue is served first, so the
   * order must be random.
   */
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

  /** Whether goroutines of the caller's scheduler made all channels. */
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
        throw t; // no case fired; if one has, its result must not be lost
      }
    } finally {
      boolean _ = wait.giveUp(round); // after an error: no case may fire any more
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

  /** Waits for the end of the round. Returns the case whose time limit ended it, or null. */
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

  /**
   * Waits as {@link #await} does; returns whether something else than the time limit ended the
   * round.
   */
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
      VarHandle.fullFence(); // the next round begins after this: see Alarm
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
   * Reserves all cases. If another select uses one of them, undoes that and throws. This is certain
   * if that select uses the first case and with it this object. For the other cases, two selects
   * that begin at the same moment may miss each other.
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

  /**
   * Releases the cases, the first one last: a select that then reserves the first case sees all of
   * this select's work done.
   */
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

  /** The case with the shortest time limit; the other time limits cannot fire before it. */
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

  /** Ends a wait when its time limit is over. */
  private static final class Alarm extends Deadline {
    private final WaitNode place;

    Alarm(WaitNode place) {
      this.place = place;
    }

    @Override
    protected void fire(long generation) {
      long round = place.round();
      VarHandle.loadLoadFence(); // first the round, then the arming: see above
      if (generation() == generation && place.fire(round)) {
        place.owner().wakeUp();
      }
    }
  }
}
