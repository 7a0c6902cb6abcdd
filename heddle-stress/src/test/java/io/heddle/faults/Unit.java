package io.heddle.faults;

import io.heddle.Goroutine;
import io.heddle.Scheduler;
import io.heddle.Task;
import io.heddle.internal.wait.WaitState;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Some goroutines, and threads outside, that do something together. If one of them is told of a fault, the others may wait
 * for it for ever, and are interrupted; if nobody is told, all must come to their end by themselves.
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

  /** One that takes part. */
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

    /** The fault came between the start of its goroutine and its first step: the uncaught handler was told. */
    private boolean isLostAndTold() {
      Goroutine mine = goroutine;
      return told && mine != null && mine.state() == Goroutine.State.DEAD && entered == 0;
    }

    @Override
    @SuppressWarnings("NonAtomicOperationOnVolatileField") // two at once are an error, and seen
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

  /** One more goroutine; from anywhere. */
  Goroutine go(Task task) {
    return start(task, scheduler::go);
  }

  /** The same by another way to start one. */
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

  /** A thread outside. */
  void outside(Task task) {
    Member member = new Member(task);
    Thread.ofPlatform().daemon().name("outside " + name).start(() -> member.run());
  }

  /** Somebody who takes part was told of {@code t}. */
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

  /** Somebody else was told, for this one. */
  void tell() {
    told = true;
  }

  boolean wasTold() {
    return told;
  }

  boolean isOver() {
    return members.stream().allMatch(Member::isOver);
  }

  /** Those whose wait is over, and who wait all the same. */
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

  /** What must not be, now that all is over. */
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
