package io.heddle.faults;

import io.heddle.Goroutine;
import io.heddle.Scheduler;
import io.heddle.Task;
import io.heddle.internal.wait.WaitState;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A group of goroutines, and of threads outside the scheduler, that cooperate. If one of them is
 * told of a fault, the others may wait forever for it and are interrupted. If none is told, all
 * must end by themselves.
 */
final class Unit {
  private final String name;
  private final Scheduler scheduler;
  private final Queue<Member> members = new ConcurrentLinkedQueue<>();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private volatile boolean told;

  Unit(String name, Scheduler scheduler) {
    this.name = name;
    this.scheduler = scheduler;
  }

  /** A participant. */
  private final class Member implements Task {
    private final Task task;
    private volatile Goroutine goroutine;
    private volatile Thread thread;
    private volatile boolean refused;
    private volatile boolean over;
    private volatile int entered;

    Member(Task task) {
      this.task = task;
      members.add(this);
    }

    boolean isOver() {
      return over || refused || isLostAndTold();
    }

    /**
     * The fault occurred between the start of its goroutine and its first step: the uncaught
     * handler was told.
     */
    private boolean isLostAndTold() {
      Goroutine mine = goroutine;
      return told && mine != null && mine.state() == Goroutine.State.DEAD && entered == 0;
    }

    @Override
    @SuppressWarnings(
        "NonAtomicOperationOnVolatileField") // two concurrent runs are an error and are detected
    public void run() {
      thread = Thread.currentThread();
      entered++;
      try {
        task.run();
      } catch (Throwable t) {
        failed(t);
      } finally {
        over = true;
      }
    }
  }

  Scheduler scheduler() {
    return scheduler;
  }

  /** Adds a goroutine; may be called by any thread. */
  Goroutine go(Task task) {
    return start(task, scheduler::go);
  }

  /** Adds a goroutine, started in another way. */
  <T> T start(Task task, java.util.function.Function<Task, T> starter) {
    Member member = new Member(task);
    try {
      T started = starter.apply(member);
      member.goroutine = started instanceof Goroutine its ? its : null;
      return started;
    } catch (Throwable t) {
      member.refused = true;
      throw t;
    }
  }

  /** Adds a thread outside the scheduler. */
  void outside(Task task) {
    Member member = new Member(task);
    Thread.ofPlatform().daemon().name("outside " + name).start(() -> member.run());
  }

  /** A participant was told of {@code t}. */
  void failed(Throwable t) {
    if (isFault(t)) {
      told = true;
    } else if (!told) {
      java.io.StringWriter text = new java.io.StringWriter();
      t.printStackTrace(new java.io.PrintWriter(text));
      wrong.add(name + ": " + text);
    }
  }

  static boolean isFault(Throwable t) {
    for (Throwable cause = t; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError) {
        return true;
      }
      for (Throwable suppressed : cause.getSuppressed()) {
        if (isFault(suppressed)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Another thread was told, on behalf of this participant. */
  void tell() {
    told = true;
  }

  boolean wasTold() {
    return told;
  }

  boolean isOver() {
    return members.stream().allMatch(Member::isOver);
  }

  /** The participants that keep waiting although their wait is over. */
  long stuck() {
    return members.stream()
        .filter(member -> !member.over && member.thread != null)
        .filter(
            member ->
                LockSupport.getBlocker(member.thread) instanceof WaitState wait && !wait.isOpen())
        .filter(member -> member.thread.getState() == Thread.State.WAITING)
        .count();
  }

  void interrupt() {
    for (Member member : members) {
      Thread thread = member.thread;
      if (!member.over && thread != null) {
        thread.interrupt();
      }
    }
  }

  /** Violated promises, checked after the end. */
  String verdict() {
    for (Member member : members) {
      if (member.refused && member.entered > 0) {
        wrong.add(name + ": a goroutine runs though its start has failed");
      }
      if (member.entered > 1) {
        wrong.add(name + ": a goroutine ran twice");
      }
    }
    return String.join("\n", wrong);
  }

  String remains() {
    StringBuilder text = new StringBuilder(name).append(told ? " (told)" : " (not told)");
    for (Member member : members) {
      if (!member.isOver()) {
        Thread thread = member.thread;
        text.append("\n  ").append(thread == null ? "not begun" : thread + " " + thread.getState());
        if (thread != null) {
          for (StackTraceElement frame : thread.getStackTrace()) {
            text.append("\n      ").append(frame);
          }
        }
      }
    }
    return text.toString();
  }
}
