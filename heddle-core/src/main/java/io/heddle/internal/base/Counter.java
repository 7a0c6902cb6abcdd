package io.heddle.internal.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A count that one thread at a time writes and any thread reads. */
public final class Counter {
  /*
   * Ordering: add's release store pairs with get's acquire load: who sees a count sees what was written before it.
   */
  private static final VarHandle VALUE = Handles.field(MethodHandles.lookup(), "value", long.class);

  private long value;

  /** For the one writer. */
  public void add(long n) {
    VALUE.setRelease(this, value + n);
  }

  public long get() {
    return (long) VALUE.getAcquire(this);
  }
}
