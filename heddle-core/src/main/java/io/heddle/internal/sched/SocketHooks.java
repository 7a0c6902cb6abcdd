package io.heddle.internal.sched;

import io.heddle.internal.jdk.OsThread;
import io.heddle.internal.poll.EpollPoller;
import io.heddle.internal.poll.NetPoller;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What the JDK's sockets ask when a virtual thread has to wait for one, once their door has been opened. */
public final class SocketHooks {
  /*
   * The foreign-function API takes some 80 ms to get ready. A thread of its own does that, as the initialisation of classes
   * would block the M of a goroutine that is in it or waits for it. Whoever needs a poller before that is done waits for
   * the latch, as any goroutine waits for any latch.
   */

  /** The bits of poll(2). */
  private static final int POLLIN = 1;

  private static final int POLLOUT = 4;

  /** How long to wait for descriptors, in nanoseconds. */
  private static final long LATER = 10_000_000;

  private static final CountDownLatch PREPARED = new CountDownLatch(1);
  private static volatile boolean available;

  /** Schedulers whose goroutines have waited for sockets. */
  private static final List<NetPolling> NETS = new CopyOnWriteArrayList<>();

  private SocketHooks() {}

  /** Whether this is a system whose way to wait for sockets we know. */
  public static boolean areKnown() {
    return System.getProperty("os.name").equals("Linux");
  }

  /** To be called once, before the door is opened. */
  public static void prepare() {
    Thread.ofPlatform()
        .daemon()
        .inheritInheritableThreadLocals(false)
        .name("heddle-poller-start")
        .start(SocketHooks::load);
  }

  private static void load() {
    try {
      NetPoller trial = EpollPoller.tryOpen();
      if (trial != null) {
        NetPoller.Events events = trial.newEvents();
        trial.interrupt();
        boolean isReady = trial.look(events, 1);
        trial.wake(events);
        trial.clearInterrupt();
        boolean _ = trial.watch(0, trial) == null; // whatever it is: what this needs is loaded
        trial.close();
        available = isReady;
      }
    } catch (RuntimeException | LinkageError e) {
      available = false; // not the system we know: its own pollers do
    } finally {
      PREPARED.countDown();
    }
    OsThread.prepare(); // nobody waits for that
  }

  /**
   * The calling virtual thread waits for a descriptor.
   *
   * @param owner what has the descriptor for as long as it is open; null if that is not known
   * @param event {@code POLLIN} or {@code POLLOUT}
   * @param nanos how long at most; 0 is for ever
   * @param isOpen says whether to wait at all; null: always
   * @return false: it is none of our goroutines, or has to wait elsewhere all the same
   */
  public static boolean poll(
      @Nullable Object owner, int fd, int event, long nanos, @Nullable BooleanSupplier isOpen) {
    M m = Thread.currentThread().isVirtual() ? M.ofCaller() : null;
    if (m == null || fd < 0 || m.sched.driver != null) { // that has no M for it
      return false;
    }
    NetPolling net = m.sched.net;
    NetPoller poller = net.open(m);
    if (poller == null && net.mayOpenLater(m)) {
      // Nor would the JDK's own have any, which fails for ever then. The caller tries again.
      LockSupport.parkNanos(nanos > 0 ? Math.min(nanos, LATER) : LATER);
      return true;
    }
    M now = M.ofCaller(); // it may have parked there
    return poller != null
        && now != null
        && now.keeper.mayPoll
        && net.awaitReady(now, poller, fd, owner, event == POLLOUT, nanos, isOpen);
  }

  /** Those that wait for {@code fd} with that event, or with any if it is 0, wait no more: it is about to be closed. */
  public static void stop(int fd, int event) {
    for (NetPolling net : NETS) {
      if (event != POLLOUT) {
        net.stop(fd, false);
      }
      if (event != POLLIN) {
        net.stop(fd, true);
      }
    }
  }

  /** Whether this system has what a poller needs. For who has asked for one. */
  static boolean areAvailable() {
    return available;
  }

  /** For a goroutine, which may have to wait for it; null also if there are no descriptors for one now. */
  static @Nullable NetPoller newPoller() {
    boolean interrupted = false;
    while (PREPARED.getCount() > 0) {
      try {
        PREPARED.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return available ? EpollPoller.tryOpen() : null;
  }

  static void remember(NetPolling net) {
    NETS.add(net);
  }

  static void forget(NetPolling net) {
    NETS.remove(net);
  }
}
