package io.heddle.internal.poll;

import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.note.RuntimeLock;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The network poller on Linux, based on edge-triggered epoll. */
public final class EpollPoller implements NetPoller {
  /*
   * Registration: as in Go, each descriptor is registered once, for all events, edge-triggered
   * (EPOLLET). So a wait costs no system call. The kernel drops the registration when the
   * descriptor is closed.
   *
   * Reuse of numbers: after a descriptor was closed, the kernel may give its number to a new one.
   * Each descriptor has an owner: an object that the JDK creates for it. If the owner is the same
   * as at the registration, the number still belongs to the registered descriptor. If the owner is
   * not known, each watch calls epoll_ctl again. This call also makes the kernel report whether the
   * descriptor is ready now.
   *
   * Stale events: an event carries the number and the generation of a PollDesc. An event of another
   * generation is about a descriptor that was closed here and is still open elsewhere, for example
   * in a child process. Such an event is dropped.
   *
   * Unwanted events: a descriptor may change again and again without a goroutine that waits for it,
   * for example if a thread outside the scheduler reads from it. Such events wake the polling M for
   * nothing. After MAX_UNCLAIMED of them in a row the descriptor is dropped, until the next wait
   * for it.
   *
   * Ordering:
   *   A lock per number (striped) guards the table's entry together with the kernel's registration.
   *   The table can be read without the lock.
   *   An interrupt stays in force until it is cleared, also if another thread polls meanwhile. An
   *   interrupt is a write to an eventfd, a counter of the kernel with a descriptor. The eventfd is
   *   registered level-triggered, so the kernel reports it as long as the counter is above 0.
   *   Clearing an interrupt subtracts 1, and so leaves other interrupts in force.
   *
   * Checked by: EpollPollerTest, SocketChurnTest.
   */

  /** The largest number of events that one poll takes from the kernel, as in Go. */
  private static final int EVENTS = 128;

  /**
   * A descriptor is deregistered after this number of useless events in a row. An event is useless
   * if no thread waits for it, and an earlier event is still unseen. To deregister a descriptor and
   * to register it again costs about as much as two such events.
   */
  private static final int MAX_UNCLAIMED = 8;

  /**
   * The number of lock stripes, a power of 2. There are more stripes than threads that are likely
   * to register descriptors at the same time.
   */
  private static final int LOCKS = 64;

  private static final int ALL = Epoll.IN | Epoll.OUT | Epoll.RDHUP | Epoll.ET;
  private static final int READABLE = Epoll.IN | Epoll.RDHUP | Epoll.HUP | Epoll.ERR;
  private static final int WRITABLE = Epoll.OUT | Epoll.HUP | Epoll.ERR;

  /**
   * Identifies the eventfd of {@link #interrupt} in an event: descriptors have no negative number.
   */
  private static final long INTERRUPT = -1;

  private final int epoll;
  private final int interrupt;
  private final PollTable table = new PollTable();
  private final AtomicInteger generations = new AtomicInteger();
  private final RuntimeLock[] locks =
      IntStream.range(0, LOCKS)
          .mapToObj(_ -> new RuntimeLock(VirtualThreads::osYield))
          .toArray(RuntimeLock[]::new);

  /**
   * Owns all permanent native memory. The arena is created when the poller is opened, because its
   * creation takes a monitor of the JDK's cleaners. A goroutine may be queued for that monitor, and
   * an M that waited for it inside the scheduler would keep the P that this goroutine needs.
   */
  private final Arena arena;

  // Buffers for interrupt and clearInterrupt, which several threads may call at the same time. The
  // threads can share a buffer, because the errors of these calls are ignored.
  private final Epoll.Buffer interrupting;
  private final Epoll.Buffer clearing;

  /** The events of one poll, in native memory. */
  private static final class Found implements Events {
    final Epoll.Buffer buffer;
    int count;

    /**
     * The number of events already processed. It is incremented before each event, so an error in
     * one event loses no other event.
     */
    int woken;

    Found(Arena arena) {
      buffer = new Epoll.Buffer(arena, EVENTS);
    }

    @Override
    public int size() {
      return count - woken;
    }
  }

  private EpollPoller(int epoll, int interrupt, Arena arena) {
    this.epoll = epoll;
    this.interrupt = interrupt;
    this.arena = arena;
    this.interrupting = new Epoll.Buffer(arena, 1);
    this.clearing = new Epoll.Buffer(arena, 1);
  }

  /** Opens a poller. Returns null if the system refuses to make its descriptors. */
  public static @Nullable EpollPoller tryOpen() {
    Arena arena = Arena.ofAuto();
    Epoll.Buffer buffer = new Epoll.Buffer(arena, 1);
    int epoll = Epoll.create(buffer);
    if (epoll < 0) {
      return null;
    }
    int interrupt = Epoll.eventfd(buffer);
    if (interrupt >= 0
        && Epoll.ctl(buffer, epoll, Epoll.CTL_ADD, interrupt, Epoll.IN, INTERRUPT) == 0) {
      return new EpollPoller(epoll, interrupt, arena);
    }
    if (interrupt >= 0) {
      int _ = Epoll.close(buffer, interrupt);
    }
    int _ = Epoll.close(buffer, epoll);
    return null;
  }

  @Override
  public Events newEvents() {
    return new Found(arena);
  }

  @Override
  public @Nullable PollDesc find(int fd) {
    return table.get(fd);
  }

  @Override
  public @Nullable PollDesc watch(int fd, @Nullable Object owner) {
    PollDesc known = table.get(fd);
    if (known != null && owner != null && known.owner == owner) {
      return known;
    }
    // The descriptor and the memory of the table are allocated here, so that no memory is allocated
    // under the lock.
    PollDesc made = new PollDesc(fd, generations.incrementAndGet(), owner);
    table.reserve(fd);
    try (Arena arena = Arena.ofConfined()) {
      Epoll.Buffer buffer = new Epoll.Buffer(arena, 1);
      boolean pinned = VirtualThreads.pin();
      lockOf(fd).lock();
      try {
        return watchLocked(buffer, fd, owner, made);
      } finally {
        lockOf(fd).unlock();
        if (pinned) {
          VirtualThreads.unpin();
        }
      }
    }
  }

  private @Nullable PollDesc watchLocked(
      Epoll.Buffer buffer, int fd, @Nullable Object owner, PollDesc made) {
    PollDesc known = table.get(fd);
    boolean isSame = known != null && known.owner == owner;
    if (known != null && isSame && owner != null) {
      return known; // another thread has registered it meanwhile
    }
    PollDesc desc = known != null && isSame ? known : made;
    table.set(fd, desc); // before epoll_ctl, because the event may be reported at once
    if (known != null && known != desc) {
      known.forget(); // wakes its threads: there are some only if two owners share fd
    }
    if (register(buffer, desc, isSame) == 0) {
      return desc;
    }
    table.set(fd, null);
    desc.forget();
    return null;
  }

  /**
   * Registers {@code desc} with the kernel, which reports an event at once if the descriptor is
   * ready already.
   *
   * @param isKnown whether a registration is expected: if true, this modifies the registration,
   *     otherwise it adds one. If the kernel answers that the expectation was wrong, this tries the
   *     other operation.
   * @return 0, or an error number below 0
   */
  private int register(Epoll.Buffer buffer, PollDesc desc, boolean isKnown) {
    int op = isKnown ? Epoll.CTL_MOD : Epoll.CTL_ADD;
    int result = Epoll.ctl(buffer, epoll, op, desc.fd, ALL, data(desc));
    if (result == -(isKnown ? Epoll.ENOENT : Epoll.EEXIST)) {
      int other = isKnown ? Epoll.CTL_ADD : Epoll.CTL_MOD;
      result = Epoll.ctl(buffer, epoll, other, desc.fd, ALL, data(desc));
    }
    return result;
  }

  @Override
  public boolean look(Events events, long nanos) {
    Found found = (Found) events;
    assert found.isEmpty() : "events of the previous poll have not been processed";
    int n = Epoll.await(found.buffer, epoll, nanos);
    if (n < 0 && n != -Epoll.EINTR) {
      throw new IllegalStateException("epoll_wait failed: errno " + -n);
    }
    found.woken = 0;
    found.count = Math.max(n, 0);
    return n > 0;
  }

  @Override
  public void wake(Events events) {
    Found found = (Found) events;
    while (!found.isEmpty()) {
      int i = found.woken++;
      wake(found.buffer.eventsAt(i), found.buffer.dataAt(i));
    }
  }

  /**
   * Wakes the threads that wait for an event. {@code data} is the result of {@link #data} for the
   * descriptor. Does nothing if the event is stale or from {@link #interrupt}. Deregisters the
   * descriptor after {@link #MAX_UNCLAIMED} useless events in a row.
   */
  private void wake(int events, long data) {
    PollDesc desc = data == INTERRUPT ? null : table.get((int) data);
    if (desc == null || desc.generation != (int) (data >>> Integer.SIZE)) {
      return;
    }
    boolean isClaimed = (events & READABLE) != 0 && desc.ready(false);
    isClaimed |= (events & WRITABLE) != 0 && desc.ready(true);
    desc.unclaimed = isClaimed ? 0 : desc.unclaimed + 1;
    if (desc.unclaimed >= MAX_UNCLAIMED) {
      unwatch(desc);
    }
  }

  /** Ends the registration of a descriptor whose events no thread waits for. */
  private void unwatch(PollDesc desc) {
    try (Arena arena = Arena.ofConfined()) {
      Epoll.Buffer buffer = new Epoll.Buffer(arena, 1);
      lockOf(desc.fd).lock();
      try {
        if (table.get(desc.fd) == desc) {
          table.set(desc.fd, null);
          int _ = Epoll.ctl(buffer, epoll, Epoll.CTL_DEL, desc.fd, 0, 0);
        }
      } finally {
        lockOf(desc.fd).unlock();
      }
    }
    desc.forget();
  }

  @Override
  public void interrupt() {
    long _ = Epoll.write(interrupting, interrupt, 1);
  }

  @Override
  public void clearInterrupt() {
    long _ = Epoll.read(clearing, interrupt);
  }

  @Override
  public void close() {
    int _ = Epoll.close(clearing, epoll);
    int _ = Epoll.close(clearing, interrupt);
  }

  private RuntimeLock lockOf(int fd) {
    return locks[fd & (LOCKS - 1)];
  }

  /** Returns what the kernel reports with each event of {@code desc}: its generation and number. */
  private static long data(PollDesc desc) {
    return (long) desc.generation << Integer.SIZE | desc.fd;
  }
}
