package io.heddle.internal.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A counter with a single writer at a time and any number of readers. */
public final class Counter {
  /*
   * Ordering: add's release store pairs with get's acquire load. A reader that sees a count also
   * sees what the writer wrote before it.
   */
  private static final VarHandle VALUE = Handles.field(MethodHandles.lookup(), "value", long.class);

  private long value;

  /** Writer: adds {@code n}. */
  public void add(long n) {
    VALUE.setRelease(this, value + n);
  }

  /** Any thread: returns the latest count that is visible. */
  public long get() {
    return (long) VALUE.getAcquire(this);
  }
}
