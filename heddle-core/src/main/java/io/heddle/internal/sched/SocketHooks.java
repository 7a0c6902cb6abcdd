package io.heddle.internal.sched;

import io.heddle.internal.base.SystemThreadGroup;
import io.heddle.internal.jdk.JdkFeature;
import io.heddle.internal.jdk.OffNotices;
import io.heddle.internal.jdk.OsThread;
import io.heddle.internal.poll.EpollPoller;
import io.heddle.internal.poll.NetPoller;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The hooks that the JDK's sockets call when a virtual thread must wait until a socket is ready.
 * The JDK calls them after {@code jdk.SocketPollPatch} was installed.
 */
public final class SocketHooks {
  /*
   * A poller uses the foreign-function API, which takes about 80 ms to initialize. A separate
   * thread does that, because class initialization blocks the M of a goroutine that performs it or
   * waits for it. The thread is started when the JDK initializes its first class for networks, so
   * that a program without sockets does not pay for it. A goroutine that needs a poller before that
   * is done parks on the latch PREPARED.
   *
   * Checked by: SocketTest, SocketsTest, ClassInitTest.
   */

  // The bits of poll(2) that the JDK passes: wait until a descriptor can be read (IN) or written
  // (OUT).
  private static final int POLLIN = 1;

  private static final int POLLOUT = 4;

  /**
   * How long a goroutine pauses before its next attempt if the process had no file descriptor left
   * for a poller.
   */
  private static final long NO_DESCRIPTORS_PAUSE_NANOS = 10_000_000;

  private static final AtomicBoolean PREPARING = new AtomicBoolean();
  private static final CountDownLatch PREPARED = new CountDownLatch(1);
  private static volatile boolean available;

  /** The schedulers that have a poller. */
  private static final List<NetPolling> NETS = new CopyOnWriteArrayList<>();

  private SocketHooks() {}

  /** Whether Heddle has a poller for this operating system. */
  public static boolean areKnown() {
    return System.getProperty("os.name").equals("Linux");
  }

  /**
   * Starts the initialization. Has no effect after the first call.
   *
   * @throws OutOfMemoryError if no thread can be started; a later call tries again
   */
  public static void prepare() {
    if (PREPARING.compareAndSet(false, true)) {
      boolean isStarted = false;
      try {
        Thread.ofPlatform()
            .group(SystemThreadGroup.get())
            .daemon()
            .inheritInheritableThreadLocals(false)
            .name("heddle-poller-start")
            .start(SocketHooks::load);
        isStarted = true;
      } finally {
        if (!isStarted) {
          PREPARING.set(false);
        }
      }
    }
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
        boolean _ = trial.watch(0, trial) == null; // loads classes that watch uses
        trial.close();
        available = isReady;
      }
    } catch (RuntimeException | LinkageError e) {
      available = false;
      OffNotices.add(JdkFeature.SOCKETS, e);
    } finally {
      PREPARED.countDown();
    }
    OsThread.prepare(); // after the latch, because no goroutine waits for it
  }

  /**
   * Parks the calling goroutine until a descriptor may be ready.
   *
   * @param owner the object that has the descriptor while it is open; null if that is not known
   * @param event {@code POLLIN} or {@code POLLOUT}
   * @param nanos the time limit; 0 means that there is none
   * @param isOpen asked before the goroutine parks: if it returns false, the goroutine does not
   *     park; null means that it parks
   * @return true if the caller must try its operation again; false if the caller is no goroutine,
   *     or must wait with the JDK's poller
   */
  public static boolean poll(
      @Nullable Object owner, int fd, int event, long nanos, @Nullable BooleanSupplier isOpen) {
    M m = Thread.currentThread().isVirtual() ? M.ofCaller() : null;
    if (m == null || fd < 0 || m.sched.driver != null) { // in a driven scheduler no M polls
      return false;
    }
    NetPolling net = m.sched.net;
    NetPoller poller = net.open(m);
    if (poller == null && net.mayOpenLater(m)) {
      // Do not let the JDK open its own poller: it would find no descriptors either, and then fail
      // forever. The caller tries again after this pause.
      LockSupport.parkNanos(
          nanos > 0 ? Math.min(nanos, NO_DESCRIPTORS_PAUSE_NANOS) : NO_DESCRIPTORS_PAUSE_NANOS);
      return true;
    }
    M now = M.ofCaller(); // perhaps another M, because open() may park
    return poller != null
        && now != null
        && now.keeper.mayPoll
        && net.awaitReady(now, poller, fd, owner, event == POLLOUT, nanos, isOpen);
  }

  /**
   * Ends the waits for {@code fd}, which is about to be closed.
   *
   * @param event {@code POLLIN}, {@code POLLOUT}, or 0 for both
   */
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

  /**
   * Whether pollers can be opened on this system. Valid after a call of {@link #newPoller}, which
   * waits for the initialization. False if the thread for the initialization could not be started.
   */
  static boolean areAvailable() {
    return available;
  }

  /**
   * Opens a poller. Returns null if that is impossible on this system, or if the process lacks a
   * file descriptor or memory now. The calling goroutine may park until the initialization is done.
   */
  static @Nullable NetPoller newPoller() {
    try {
      prepare();
    } catch (OutOfMemoryError e) {
      return null;
    }
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
