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
 * The execution of one select statement, in Go's three passes:
 *
 * <ol>
 *   <li>Look for a case that is ready, and perform it ({@link #tryNow}).
 *   <li>Otherwise wait at the channels of all cases ({@link #enqueue}).
 *   <li>After one case has fired, leave the other channels ({@link #leave}).
 * </ol>
 *
 * <p>The first case of the statement keeps a reference to this object. So a loop that selects from
 * the same cases uses one object, and allocates nothing.
 *
 * <p>The file is long because the three passes share the state of one select, and one argument
 * covers them.
 */
final class SelectOperation {
  /*
   * Words: each case has a node (WaitNode), which waits in the queue of the case's channel. To fire
   * a node means to end the wait with its case; WaitState lets that succeed for one node only. A
   * round is one wait: it begins in the second pass and ends when a node fires or the waiter gives
   * up.
   *
   * Locks: the first two passes run while all channels are locked; the third pass locks them again.
   * The order is the same for all selects (Chan.order). So no channel changes during a pass.
   * Between the second and the third pass other threads may fire a node.
   *
   * Before the first pass, select tries one case that looks ready, under the lock of its channel
   * alone (tryOne). That is right, because select may perform any case that is ready at the moment
   * when it is performed; it need not know whether others are ready at the same moment.
   *
   * No late event ends a later round:
   * - Threads that send and receive fire nodes that they find in a queue, under the channel's lock.
   *   After the third pass the nodes are in no queue.
   * - The timer of a time limit (Alarm) takes no lock of a channel, and may still be about to fire
   *   after it was stopped. The timer first reads the number of the round. Then it checks that it
   *   was neither stopped nor set again since the setting that caused this event. If that is the
   *   case, the number is that of the round for which it was set, because each round stops the
   *   timer before the next round begins. If that round has ended, firing does nothing.
   *
   * Checked by: SelectTest, SelectStress.
   */
  private final Case<?>[] cases;

  /** The node of each case, at the index of the case. */
  private final WaitNode[] places;

  /**
   * The indices of the cases with a channel, in the order in which the channels are locked. So
   * cases of the same channel stand beside each other.
   */
  private final int[] ordered;

  private final WaitState wait = new WaitState();
  private final FastRandom random = new FastRandom(SchedClock.anySeed());

  /** The default case; null if there is none. */
  private final @Nullable Case<?> orElse;

  /** The case with the shortest time limit; null if no case has one. */
  private final @Nullable Case<?> first;

  /** The wait reason that dumps show. It names the first channel that has a name, if one has. */
  private final String reason;

  /** The timer of the shortest time limit; made for the first wait that needs it. */
  private @Nullable Deadline alarm;

  /**
   * The sender or receiver that {@link #perform} has served, which must be woken after the unlock.
   * It is {@code Chan.NO_WAITER} if there is none to wake, and null if nothing was performed.
   */
  private @Nullable WaitNode met;

  /** What the case that fired has received. */
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
    this.reason = reason(cases);
    this.places = new WaitNode[cases.length];
    Arrays.setAll(places, i -> new WaitNode(wait, i));
  }

  /** Returns the object that the first case keeps, if it is for the same cases; else a new one. */
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
   * Chooses one of the cases that look ready, each with the same probability, and performs it under
   * the lock of its channel alone. Returns null if no case looks ready, or if the chosen case is
   * not ready any more; the caller then goes on with the first pass.
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
   * Does the first pass: performs one of the ready cases, each with the same probability. Returns
   * null if no case is ready. The caller holds the locks of all channels.
   */
  private @Nullable Case<?> tryNow() {
    for (; ; ) {
      Case<?> ready = choose(true);
      if (ready == null || perform(ready)) {
        return ready;
      }
      // The waiter on the other side has just stopped waiting, so the case may not be ready any
      // more.
    }
  }

  /**
   * Chooses one of the cases that are ready, each with the same probability; null if none is. A
   * caller without the locks of the channels passes {@code false}: then cases that look ready
   * count.
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

  /**
   * Performs the send or receive of {@code ready}, if that is still possible without waiting, and
   * returns whether it was. Sets {@code met}, and {@code result} for a receive. The caller holds
   * the lock of the channel.
   */
  private boolean perform(Case<?> ready) {
    Chan<?> chan = ready.chan;
    if (chan == null) {
      return true; // only a time limit of zero or less has no channel here
    }
    met = ready.kind == Case.Kind.SEND ? chan.sendLocked(value(ready)) : chan.receiveLocked();
    if (met != null && ready.kind == Case.Kind.RECEIVE) {
      result = chan.takeTaken();
    }
    return met != null;
  }

  /**
   * Does the second pass: begins a round, and queues the node of each case at its channel. Returns
   * the number of the round. The caller holds the locks of all channels.
   */
  private long enqueue() {
    long round = wait.begin(reason);
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
   * Shuffles the cases of the same channel, before they are queued in this order. A channel serves
   * its queue from the head. So without the shuffle, the first of two receives from one channel
   * would always win.
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

  /** Whether goroutines of the caller's scheduler made all channels: see CreatorScheduler. */
  private boolean isInside() {
    for (int i : ordered) {
      if (!chan(i).isInside()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Waits for the end of the round, and does the third pass. Returns the case that fired. Throws,
   * without an effect of any case, if the caller was interrupted before a case fired.
   */
  private Case<?> waitFor(long round) throws InterruptedException {
    Case<?> timed = null;
    try {
      timed = await(round);
    } catch (Throwable t) {
      if (wait.ended(round) < 0) {
        throw t; // no case has fired; otherwise t is dropped, so that the case has its effect
      }
    } finally {
      boolean _ = wait.giveUp(round); // after an error or timeout no case may fire any more
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

  /**
   * Waits for the end of the round. Returns the case whose time limit ended the wait; null if a
   * node has fired. Throws if an interrupt came first.
   */
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
   * Waits for the end of the round or of the time limit of {@code timed}. A goroutine sets a timer,
   * which fires the node of {@code timed}; any other thread waits with a time limit of the JDK.
   * Returns whether a node has fired. Throws if an interrupt came first.
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
      // Orders the stop before the begin of the next round. Pairs with the fence in Alarm.
      VarHandle.fullFence();
    }
    return true;
  }

  /**
   * Does the third pass: takes all nodes out of the queues of the channels, and drops the values
   * that were not sent.
   */
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
   * Reserves all cases for this select. If another select has reserved one of them, gives the
   * reservations up and throws. The first case is reserved by compare-and-set, because it keeps
   * this object, which two selects must never use at once. The other cases are reserved without a
   * compare-and-set, which would cost time. So two selects that begin at the same moment may both
   * reserve such a case.
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
   * Gives up the reservations of the cases up to index {@code count - 1}. The first case comes
   * last, so that the select that reserves it next finds this object unused.
   */
  private void endUse(int count) {
    for (int i = count - 1; i >= 0; i--) {
      cases[i].endUseRelease();
    }
  }

  private static Object value(Case<?> send) {
    return Objects.requireNonNull(send.toSend);
  }

  /** Returns the case of {@code kind}, null if there is none; throws if there are two. */
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

  /**
   * Returns the case with the shortest time limit; null if no case has one. Only this limit needs a
   * timer, because the others cannot end before it.
   */
  private static @Nullable Case<?> earliest(Case<?>[] cases) {
    return Arrays.stream(cases)
        .filter(each -> each.kind == Case.Kind.AFTER)
        .min(Comparator.comparing(each -> Objects.requireNonNullElse(each.delay, Duration.ZERO)))
        .orElse(null);
  }

  private static String reason(Case<?>[] cases) {
    for (Case<?> each : cases) {
      String named = each.chan == null ? null : each.chan.namedSelect();
      if (named != null) {
        return named;
      }
    }
    return "select";
  }

  /** Returns the indices of the cases with a channel, sorted by the order of the channels. */
  private static int[] inOrder(Case<?>[] cases) {
    return IntStream.range(0, cases.length)
        .filter(i -> cases[i].chan != null)
        .boxed()
        .sorted(Comparator.comparingLong(i -> Objects.requireNonNull(cases[i].chan).order()))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Returns the timer for the node of the case with the shortest time limit. */
  private Deadline alarm() {
    Deadline made = alarm;
    if (made == null) {
      made = new Alarm(places[Arrays.asList(cases).indexOf(first)]);
      alarm = made;
    }
    return made;
  }

  /** Fires the node of a time limit when the time is over. */
  private static final class Alarm extends Deadline {
    private final WaitNode place;

    Alarm(WaitNode place) {
      this.place = place;
    }

    @Override
    protected void fire(long generation) {
      long round = place.round();
      // The round must be read before generation(): see "No late event" in SelectOperation.
      VarHandle.loadLoadFence();
      if (generation() == generation && place.fire(round)) {
        place.owner().wakeUp();
      }
    }
  }
}
