package io.heddle;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Knows the schedulers that are open, and tells observers: see {@link Scheduler#watch}. */
final class OpenSchedulers {
  /*
   * An observer may be added while a scheduler is made or closed. Two threads may then want to tell
   * this observer of the same scheduler. So the thread that calls the observer first claims the
   * scheduler: it adds an entry to the observer's map claims.
   *   Opening: 1. Claim the scheduler; if another thread has claimed it, stop. 2. Call opened,
   *   under the lock of the claim. 3. If the scheduler is no longer in OPEN, do steps 2 and 3 of a
   *   closing.
   *   Closing: 1. Remove the scheduler from OPEN. 2. Remove the claim; if there is none, stop.
   *   3. Call closed, under the lock of the claim.
   * closed is called after opened has returned, because an opening locks the claim before it adds
   * the claim, and until opened has returned. closed is called once for each call of opened, unless
   * the observer was removed. An opening claims before it reads OPEN, and a closing removes from
   * OPEN before it reads the claims. So at least one of them sees what the other wrote, and only
   * one of them removes the claim. A callback holds only the lock of its claim, which no other
   * observer or scheduler needs.
   *
   * Checked by: SchedulerWatchTest.
   */
  private static final Set<Scheduler> OPEN = ConcurrentHashMap.newKeySet();
  private static final List<Observer> OBSERVERS = new CopyOnWriteArrayList<>();

  private OpenSchedulers() {}

  static void opened(Scheduler scheduler) {
    OPEN.add(scheduler);
    for (Observer observer : OBSERVERS) {
      observer.open(scheduler);
    }
  }

  static void closed(Scheduler scheduler) {
    if (OPEN.remove(scheduler)) {
      for (Observer observer : OBSERVERS) {
        observer.close(scheduler);
      }
    }
  }

  static Runnable watch(Consumer<? super Scheduler> opened, Consumer<? super Scheduler> closed) {
    Observer observer = new Observer(opened, closed);
    OBSERVERS.add(observer);
    for (Scheduler scheduler : OPEN) {
      observer.open(scheduler);
    }
    return () -> OBSERVERS.remove(observer);
  }

  private static final class Observer {
    private final Consumer<? super Scheduler> opened;
    private final Consumer<? super Scheduler> closed;
    private final Map<Scheduler, Object> claims = new ConcurrentHashMap<>();

    Observer(Consumer<? super Scheduler> opened, Consumer<? super Scheduler> closed) {
      this.opened = opened;
      this.closed = closed;
    }

    void open(Scheduler scheduler) {
      Object claim = new Object();
      synchronized (claim) {
        if (claims.putIfAbsent(scheduler, claim) != null) {
          return;
        }
        tell(opened, scheduler);
      }
      if (!OPEN.contains(scheduler)) {
        close(scheduler);
      }
    }

    void close(Scheduler scheduler) {
      Object claim = claims.remove(scheduler);
      if (claim != null) {
        synchronized (claim) {
          tell(closed, scheduler);
        }
      }
    }

    private static void tell(Consumer<? super Scheduler> callback, Scheduler scheduler) {
      try {
        callback.accept(scheduler);
      } catch (Throwable t) {
        scheduler.logLater("an observer of Scheduler.watch failed", t);
      }
    }
  }
}
