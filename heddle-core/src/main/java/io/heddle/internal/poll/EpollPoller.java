package io.heddle.internal.poll;

import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.note.RuntimeLock;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Linux's epoll. */
public final class EpollPoller implements NetPoller {
  /*
   * Every descriptor is watched for everything, once, and the system tells of changes alone (EPOLLET), as in Go: then a
   * wait costs no call. It is watched until it is closed, which the system notices by itself.
   *
   * That leaves the question whether the descriptor of that number is still the one that is watched. Its owner tells, an object
   * which the JDK makes anew for each: if it is the same, nothing has changed. Where there is no owner to be had, the
   * system is asked each time, which also has it look whether the descriptor is ready now.
   *
   * What the system reports carries the number and the generation of a PollDesc. A report of another generation is about
   * a descriptor that was closed here and lives on elsewhere (a child process has it, say), and is dropped.
   *
   * A descriptor that changes again and again while nobody cares (who reads from it is no goroutine, say) would wake who
   * waits here for nothing; it is forgotten, until somebody waits for it again.
   *
   * Ordering: a lock for each number guards what the table has for it together with what the system watches; the
   * table can be read without. interrupt stays in force until it is cleared, also if somebody else looks meanwhile: the
   * descriptor that it writes to is the one that is reported as long as it is ready. It counts: one that is cleared does not
   * take another along.
   *
   * Checked by: EpollPollerTest, SocketChurnTest.
   */

  /** Go's number. */
  private static final int EVENTS = 128;

  /** Changes in a row that nobody cares about. To forget a descriptor and watch it again costs about as much as two. */
  private static final int PATIENCE = 8;

  /** A power of 2, more than threads that are likely to meet. */
  private static final int LOCKS = 64;

  private static final int ALL = Epoll.IN | Epoll.OUT | Epoll.RDHUP | Epoll.ET;
  private static final int READABLE = Epoll.IN | Epoll.RDHUP | Epoll.HUP | Epoll.ERR;
  private static final int WRITABLE = Epoll.OUT | Epoll.HUP | Epoll.ERR;

  /** What stands for the descriptor of {@link #interrupt} in a report: no other has a number below 0. */
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
   * All memory that is kept. Made once, by who opens the poller: that takes a monitor of the JDK's cleaners, for which a
   * goroutine may be in line; an M in the scheduler that waited for it would keep that goroutine's P.
   */
  private final Arena arena;

  // Memory for those calls that several threads may make at a time, and whose errors nobody need
  // know.
  private final Epoll.Buffer interrupting;
  private final Epoll.Buffer clearing;

  private static final class Found implements Events {
    final Epoll.Buffer buffer;
    int count;

    /** How many of them have woken whom they had to: an error on the way loses none of the others. */
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

  /** Null if the system does not let us. */
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
    // Before the lock, as it allocates.
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
      return known; // the other one of reader and writer was faster
    }
    PollDesc desc = known != null && isSame ? known : made;
    table.set(fd, desc); // first: what the system finds to be ready now may be reported at once
    if (known != null && known != desc) {
      known.forget(); // nobody waits there any more, unless two owners have the same descriptor
    }
    if (ask(buffer, desc, isSame) == 0) {
      return desc;
    }
    table.set(fd, null);
    desc.forget();
    return null;
  }

  /** Has the system watch it, and look whether it is ready now. */
  private int ask(Epoll.Buffer buffer, PollDesc desc, boolean isKnown) {
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
    assert found.isEmpty() : "what was found before has woken nobody";
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

  private void wake(int events, long data) {
    PollDesc desc = data == INTERRUPT ? null : table.get((int) data);
    if (desc == null || desc.generation != (int) (data >>> Integer.SIZE)) {
      return;
    }
    boolean isClaimed = (events & READABLE) != 0 && desc.ready(false);
    isClaimed |= (events & WRITABLE) != 0 && desc.ready(true);
    desc.unclaimed = isClaimed ? 0 : desc.unclaimed + 1;
    if (desc.unclaimed >= PATIENCE) {
      forget(desc);
    }
  }

  private void forget(PollDesc desc) {
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

  private static long data(PollDesc desc) {
    return (long) desc.generation << Integer.SIZE | desc.fd;
  }
}
