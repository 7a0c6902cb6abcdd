package io.heddle.cluster;

import org.jspecify.annotations.Nullable;

/**
 * What the engine says, asked at most once a second, and only when a reader wants it. After a
 * failure it is not known for five seconds, so that a page that is open does not wait all the time
 * for an engine that is away.
 */
final class Cached<T> {
  private static final long MAX_AGE_NANOS = 1_000_000_000;
  private static final long PAUSE_AFTER_FAILURE_NANOS = 5_000_000_000L;

  private final Question<T> question;
  private @Nullable T value; // this and the next two: guarded by this
  private boolean isAsked;
  private long nextAsk;

  /** Asks the engine. */
  @FunctionalInterface
  interface Question<T> {
    @Nullable T ask() throws InterruptedException;
  }

  Cached(Question<T> question) {
    this.question = question;
  }

  /** Returns the newest answer; null if there is none. May wait for the engine. */
  synchronized @Nullable T get() {
    if (!isAsked || System.nanoTime() - nextAsk >= 0) {
      isAsked = true;
      long pause = MAX_AGE_NANOS;
      try {
        value = question.ask();
      } catch (ClusterException e) {
        value = null;
        pause = PAUSE_AFTER_FAILURE_NANOS;
      } catch (InterruptedException e) {
        value = null;
        Thread.currentThread().interrupt();
      }
      nextAsk = System.nanoTime() + pause;
    }
    return value;
  }
}
