package io.heddle.internal.dashboard;

import io.heddle.internal.sched.Sched;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The feeds of all schedulers, and the thread that samples the watched ones. That thread exists
 * only while there is an open stream.
 */
final class Feeds {
  private final long period;
  private final ThreadFactory threads;
  private final EventStreams watchers;

  // Guarded by this. The key null stands for "no scheduler yet".
  private final Map<@Nullable Sched, Feed> feeds = new HashMap<>();
  private @Nullable Thread sampler;

  Feeds(RefreshRate pace, ThreadFactory threads, EventStreams watchers) {
    this.period = pace.period();
    this.threads = threads;
    this.watchers = watchers;
  }

  /**
   * Returns the feed of a scheduler, the same object at each call. If {@code sched} is null,
   * returns the feed for the time before the first scheduler. Drops the feeds of closed schedulers.
   */
  synchronized Feed of(@Nullable Sched sched) {
    feeds.keySet().removeIf(each -> each != null && Sched.all().noneMatch(s -> s == each));
    return feeds.computeIfAbsent(sched, Feed::new);
  }

  /**
   * Adds a stream to {@code feed}, until {@link Feed#leave}, and starts the sampling thread if
   * necessary.
   */
  synchronized void join(Feed feed) {
    feed.join();
    if (sampler == null) {
      sampler = threads.newThread(this::run);
      sampler.start();
    }
  }

  /** Whether the sampling thread runs. */
  synchronized boolean isLooking() {
    return sampler != null;
  }

  private void run() {
    List<Feed> watched = new ArrayList<>();
    long next = System.nanoTime();
    while (true) {
      List<Feed> before = watched;
      watched = watched();
      before.removeAll(watched);
      before.forEach(Feed::rest);
      if (watched.isEmpty() && hasEnded()) {
        return;
      }
      watched.forEach(Feed::trySample);
      watchers.dropSlow();
      next = Math.max(next + period, System.nanoTime() + period / 2);
      LockSupport.parkNanos(this, next - System.nanoTime());
    }
  }

  private synchronized List<Feed> watched() {
    List<Feed> watched = new ArrayList<>();
    for (Feed feed : feeds.values()) {
      if (feed.isWatched()) {
        watched.add(feed);
      }
    }
    return watched;
  }

  /**
   * Returns whether the sampling thread must end, and records its end. It must not end if a stream
   * has joined meanwhile.
   */
  private synchronized boolean hasEnded() {
    if (!watched().isEmpty()) {
      return false;
    }
    sampler = null;
    return true;
  }
}
