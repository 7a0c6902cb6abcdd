package io.heddle.faults;

import io.heddle.Scheduler;
import io.heddle.internal.inspect.Invariants;
import io.heddle.internal.sched.Sched;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Child: many goroutines block their threads in a read, until the operating system refuses more
 * threads for the others.
 */
public final class ManyBlocked {
  private ManyBlocked() {}

  public static void main(String[] args) throws Exception {
    int n = Integer.parseInt(args[0]);
    FileInputStream in = new FileInputStream(FileDescriptor.in);
    AtomicInteger ends = new AtomicInteger();
    CountDownLatch left = new CountDownLatch(2 * n);
    try (Scheduler scheduler = Scheduler.builder().name("crowd").procs(4).build()) {
      for (int i = 0; i < n; i++) {
        scheduler.go(
            () -> {
              if (in.read() >= 0) {
                ends.incrementAndGet();
              }
              left.countDown();
            });
        scheduler.go(left::countDown);
      }
      left.await();
      Quiet.await(scheduler); // the latch opens before the last goroutine has ended
      System.out.println("ended " + ends + " living " + scheduler.goroutines());
      Invariants.check(Sched.of(scheduler));
    }
    System.out.println("closed");
  }
}
