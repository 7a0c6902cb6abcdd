package io.heddle;

import io.heddle.internal.jdk.WaitReason;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A goroutine where Heddle is off ({@code HEDDLE=off}): a virtual thread on the JDK's scheduler.
 */
final class PlainGoroutine implements Goroutine, Runnable {
  private static final ThreadLocal<@Nullable PlainGoroutine> CURRENT = new ThreadLocal<>();

  private final PlainScheduler scheduler;
  private final Thread thread;
  private final @Nullable StackTraceElement site;

  /**
   * The id of the goroutine that made this one; 0 if no goroutine of the same scheduler made it.
   */
  private final long creator;

  /**
   * The code to run. The goroutine sets this to null when it starts, so that the garbage collector
   * can free the task early. Until then only the thread that makes the goroutine uses it.
   */
  private @Nullable Task task;

  /** Written by the thread that makes the goroutine, then by the goroutine. */
  private volatile Map<String, String> labels;

  /** 0 until the goroutine is registered: see {@link PlainScheduler}. */
  private volatile long id;

  @SuppressWarnings("this-escape") // the thread is started later
  PlainGoroutine(
      PlainScheduler scheduler,
      @Nullable String name,
      Task task,
      @Nullable StackTraceElement site) {
    PlainGoroutine caller = current();
    this.scheduler = scheduler;
    this.task = task;
    this.site = site;
    this.labels = Labels.ofCaller();
    this.creator = caller != null && caller.scheduler == scheduler ? caller.id : 0;
    Thread.Builder builder = Thread.ofVirtual();
    this.thread = (name == null ? builder : builder.name(name)).unstarted(this);
  }

  /** Returns the calling goroutine; null if the caller is any other thread. */
  static @Nullable PlainGoroutine current() {
    return Thread.currentThread().isVirtual() ? CURRENT.get() : null;
  }

  @Override
  public void run() {
    Task mine = task;
    task = null;
    CURRENT.set(this);
    scheduler.begins(this);
    try {
      if (mine != null) {
        mine.run();
      }
    } catch (Throwable t) {
      if (hasOwnHandler()) {
        throw LiveGoroutine.unchecked(t);
      }
      scheduler.uncaught(this, t);
    } finally {
      scheduler.ends(this);
    }
  }

  @Override
  public Map<String, String> labels() {
    return labels;
  }

  void label(Map<String, String> newLabels) {
    labels = newLabels;
  }

  PlainScheduler scheduler() {
    return scheduler;
  }

  void number(long number) {
    id = number;
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public String name() {
    return thread.getName();
  }

  /**
   * Returns the state of the thread. RUNNING also stands for a thread that waits for a carrier,
   * because the JDK does not distinguish the two.
   */
  @Override
  public State state() {
    return switch (thread.getState()) {
      case NEW -> State.NEW;
      case RUNNABLE -> State.RUNNING;
      case BLOCKED, WAITING, TIMED_WAITING -> State.WAITING;
      case TERMINATED -> State.DEAD;
    };
  }

  @Override
  public String waitReason() {
    return WaitReason.byPublicApi(thread);
  }

  @Override
  public Thread thread() {
    return thread;
  }

  @Override
  public void join() throws InterruptedException {
    thread.join();
  }

  @Override
  public boolean join(Duration d) throws InterruptedException {
    return thread.join(d);
  }

  @Override
  public void interrupt() {
    thread.interrupt();
  }

  @Nullable StackTraceElement site() {
    return site;
  }

  /**
   * Returns the line that ends this goroutine's part of a dump, and the report of its uncaught
   * exception. It is empty if the creation site is not known.
   */
  String createdBy() {
    if (site == null) {
      return "";
    }
    return "created by " + site + (creator == 0 ? "" : " in goroutine " + creator) + "\n";
  }

  @Override
  public String toString() {
    String name = name();
    return "goroutine " + id + (name.isEmpty() ? "" : " \"" + name + "\"");
  }

  private boolean hasOwnHandler() {
    return !(thread.getUncaughtExceptionHandler() instanceof ThreadGroup);
  }
}
