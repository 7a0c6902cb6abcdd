package io.heddle.internal.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The broken twin of {@link RunQueue}: a copy of it, without one step of the protocol. */
final class BrokenRunQueue implements Ring {
  /** The omitted step. */
  enum Fault {
    /** None: shows that the tests detect only the fault. */
    NONE,
    /** takeHead stores head instead of comparing first. */
    TAKE_WITHOUT_CAS,
    /** A thief stores head instead of comparing first. */
    STEAL_WITHOUT_CAS,
    /** The overflow stores head instead of comparing first. */
    OVERFLOW_WITHOUT_CAS,
    /** A thief stores null into runNext instead of comparing first. */
    STEAL_NEXT_WITHOUT_CAS,
    /** put reads and stores runNext (release) instead of exchanging it (volatile). */
    PUT_NEXT_WITHOUT_EXCHANGE,
    /** offerNext checks, then stores. */
    OFFER_WITHOUT_CAS,
    /** withdrawNext checks, then stores null. */
    WITHDRAW_WITHOUT_CAS,
    /**
     * put does not report that it moved an element to the ring, so its caller omits the fence after
     * it.
     */
    KICK_IN_SILENCE,
    /** isEmpty does not read tail again. */
    EMPTY_AT_FIRST_LOOK
  }

  private static final VarHandle HEAD;
  private static final VarHandle TAIL;
  private static final VarHandle RUN_NEXT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HEAD = lookup.findVarHandle(BrokenRunQueue.class, "head", int.class);
      TAIL = lookup.findVarHandle(BrokenRunQueue.class, "tail", int.class);
      RUN_NEXT = lookup.findVarHandle(BrokenRunQueue.class, "runNext", Token.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Fault fault;
  private final Token[] slots;
  private final int mask;
  private final Overflow<Token> overflow;

  private volatile int head;
  private volatile int tail;
  private volatile @Nullable Token runNext;

  BrokenRunQueue(Fault fault, int capacity, Overflow<Token> overflow) {
    this.fault = fault;
    this.slots = new Token[capacity];
    this.mask = capacity - 1;
    this.overflow = overflow;
  }

  /** Makes twins with this fault. */
  static Ring.Maker with(Fault fault) {
    return (capacity, overflow) -> new BrokenRunQueue(fault, capacity, overflow);
  }

  @Override
  public boolean put(Token item, boolean next) {
    Token last = next ? exchangeRunNext(item) : item;
    if (last == null) {
      return false;
    }
    append(last);
    return fault != Fault.KICK_IN_SILENCE;
  }

  @Override
  public boolean offerNext(Token item) {
    return replaceRunNext(null, item, Fault.OFFER_WITHOUT_CAS);
  }

  @Override
  public boolean withdrawNext(Token item) {
    return replaceRunNext(item, null, Fault.WITHDRAW_WITHOUT_CAS);
  }

  @Override
  public @Nullable Token takeNext() {
    return RUN_NEXT.get(this) == null ? null : (Token) RUN_NEXT.getAndSet(this, (Token) null);
  }

  @Override
  public @Nullable Token takeHead() {
    int t = tailPlain();
    for (; ; ) {
      int h = headAcquire();
      if (h == t) {
        return null;
      }
      Token item = slots[h & mask];
      if (advanceHead(h, 1, Fault.TAKE_WITHOUT_CAS)) {
        slots[h & mask] = null;
        return item;
      }
    }
  }

  @Override
  public @Nullable Token stealInto(Ring into, boolean runNextToo) {
    BrokenRunQueue thief = (BrokenRunQueue) into;
    int t = thief.tailPlain();
    int n = grab(thief, t);
    if (n == 0) {
      return runNextToo ? stealRunNext() : null;
    }
    Token item = thief.slots[(t + n - 1) & mask];
    thief.slots[(t + n - 1) & mask] = null;
    if (n > 1) {
      thief.tailRelease(t + n - 1);
    }
    return item;
  }

  @Override
  public boolean isEmpty() {
    for (; ; ) {
      int h = headAcquire();
      int t = tailAcquire();
      boolean none = runNext == null;
      if (fault == Fault.EMPTY_AT_FIRST_LOOK || t == tailAcquire()) {
        return h == t && none;
      }
    }
  }

  private void append(Token item) {
    for (; ; ) {
      int h = headAcquire();
      int t = tailPlain();
      if (t - h < slots.length) {
        slots[t & mask] = item;
        tailRelease(t + 1);
        return;
      }
      if (overflowHalf(item, h)) {
        return;
      }
    }
  }

  private boolean overflowHalf(Token item, int h) {
    int n = slots.length / 2;
    if (!advanceHead(h, n, Fault.OVERFLOW_WITHOUT_CAS)) {
      return false;
    }
    Token first = slots[h & mask];
    Token last = first;
    for (int i = 1; i < n; i++) {
      Token g = slots[(h + i) & mask];
      last.link = g;
      last = g;
    }
    last.link = item;
    overflow.accept(first, item, n + 1);
    return true;
  }

  private int grab(BrokenRunQueue thief, int t) {
    for (; ; ) {
      int h = headAcquire();
      int n = tailAcquire() - h;
      n -= n / 2;
      if (n <= 0) {
        return 0;
      }
      if (n > slots.length / 2) {
        continue;
      }
      for (int i = 0; i < n; i++) {
        thief.slots[(t + i) & mask] = slots[(h + i) & mask];
      }
      if (advanceHead(h, n, Fault.STEAL_WITHOUT_CAS)) {
        return n;
      }
    }
  }

  private @Nullable Token stealRunNext() {
    Token item = runNext;
    return item != null && replaceRunNext(item, null, Fault.STEAL_NEXT_WITHOUT_CAS) ? item : null;
  }

  /**
   * Clears runNext unless it has changed, which {@code without} does not notice between its check
   * and its store.
   */
  private boolean replaceRunNext(@Nullable Token old, @Nullable Token item, Fault without) {
    if (fault != without) {
      return RUN_NEXT.compareAndSet(this, old, item);
    }
    if (runNext != old) {
      return false;
    }
    runNext = item;
    return true;
  }

  private @Nullable Token exchangeRunNext(Token item) {
    if (fault == Fault.PUT_NEXT_WITHOUT_EXCHANGE) {
      Token old = (Token) RUN_NEXT.get(this);
      RUN_NEXT.setRelease(this, item);
      return old;
    }
    return (Token) RUN_NEXT.getAndSet(this, item);
  }

  /**
   * Advances head from {@code h} by {@code n} unless another thread moved it, which {@code without}
   * ignores.
   */
  private boolean advanceHead(int h, int n, Fault without) {
    if (fault == without) {
      HEAD.setRelease(this, h + n);
      return true;
    }
    return HEAD.compareAndSet(this, h, h + n);
  }

  private int headAcquire() {
    return (int) HEAD.getAcquire(this);
  }

  private int tailPlain() {
    return (int) TAIL.get(this);
  }

  private int tailAcquire() {
    return (int) TAIL.getAcquire(this);
  }

  private void tailRelease(int t) {
    TAIL.setRelease(this, t);
  }
}
