package io.heddle.junit.agent;

import io.heddle.Bubble;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Mutex;
import io.heddle.Select;
import io.heddle.Task;
import io.heddle.WaitGroup;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;

/** The kinds of bugs that Go programs have, each beside its repair. */
enum GoBugs {
  /** The caller returns at the first answer; the others wait to send theirs for ever. */
  LOST_RESULT("goroutine", () -> firstOf(Chan.make()), () -> firstOf(Chan.make(3))),

  /** There is no receiver any more when the answer comes after the timeout. */
  SEND_AFTER_TIMEOUT("goroutine", () -> answerOrTimeout(0), () -> answerOrTimeout(1)),

  /** Two see that it is open, and both close it. */
  DOUBLE_CLOSE("closed", () -> closers(new HashMap<>()), () -> closers(new ConcurrentHashMap<>())),

  /** Two locks, in two orders. */
  LOCK_ORDER("deadlock", () -> transfers(false), () -> transfers(true)),

  /** The signal is given before the other waits for it. */
  MISSED_SIGNAL("deadlock", () -> signal(false), () -> signal(true)),

  /** The count is 0 when the wait begins, since those that are waited for have not begun. */
  ADD_AFTER_WAIT("expected 2", () -> count(true), () -> count(false)),

  /** A send under the lock that the receiver needs. */
  CHANNEL_UNDER_LOCK("deadlock", () -> report(true), () -> report(false)),

  /** Looks whether it is there, then puts it. */
  CHECK_THEN_ACT("made 2", () -> make(false), () -> make(true)),

  /** Reads, adds, writes. */
  LOST_UPDATE("counted", () -> add(false), () -> add(true));

  /** What the failure says. */
  final String symptom;

  final Task buggy;
  final Task repaired;

  GoBugs(String symptom, Task buggy, Task repaired) {
    this.symptom = symptom;
    this.buggy = buggy;
    this.repaired = repaired;
  }

  private static void firstOf(Chan<Integer> answers) throws Exception {
    for (int i = 0; i < 3; i++) {
      int n = i;
      Go.go(() -> answers.send(n));
    }
    answers.receive();
  }

  private static void answerOrTimeout(int capacity) throws Exception {
    Chan<String> answer = Chan.make(capacity);
    Go.go(
        () -> {
          Go.sleep(Duration.ofSeconds(2));
          answer.send("late");
        });
    Select.select(Select.recv(answer), Select.after(Duration.ofSeconds(1)));
    Go.sleep(Duration.ofSeconds(5));
  }

  /** Of a plain map each makes the entry; of the other one of them does. */
  private static void closers(Map<String, Boolean> closed) throws Exception {
    Chan<Integer> chan = Chan.make();
    WaitGroup all = new WaitGroup();
    for (int i = 0; i < 2; i++) {
      all.go(
          () -> {
            if (closed instanceof ConcurrentHashMap<String, Boolean> map) {
              if (map.putIfAbsent("closed", true) == null) {
                chan.close();
              }
            } else if (!chan.isClosed()) {
              chan.close();
            }
          });
    }
    all.await();
  }

  private static void transfers(boolean isOrdered) throws Exception {
    Mutex a = new Mutex();
    Mutex b = new Mutex();
    WaitGroup all = new WaitGroup();
    all.go(() -> lockBoth(a, b));
    all.go(() -> lockBoth(isOrdered ? a : b, isOrdered ? b : a));
    all.await();
  }

  private static void lockBoth(Mutex first, Mutex second) {
    first.lock();
    second.lock();
    second.unlock();
    first.unlock();
  }

  private static void signal(boolean looks) throws Exception {
    Mutex mutex = new Mutex();
    Condition ready = mutex.newCondition();
    boolean[] isReady = {false};
    WaitGroup all = new WaitGroup();
    all.go(
        () -> {
          mutex.lock();
          while (!looks || !isReady[0]) {
            ready.await();
            if (!looks) {
              break;
            }
          }
          mutex.unlock();
        });
    all.go(
        () -> {
          mutex.lock();
          isReady[0] = true;
          ready.signal();
          mutex.unlock();
        });
    all.await();
  }

  private static void count(boolean addsInside) throws Exception {
    WaitGroup all = new WaitGroup();
    Mutex mutex = new Mutex();
    int[] done = {0};
    WaitGroup ends = new WaitGroup(); // so that no goroutine is left over
    for (int i = 0; i < 2; i++) {
      if (!addsInside) {
        all.add(1);
      }
      ends.go(
          () -> {
            if (addsInside) {
              all.add(1);
            }
            mutex.lock();
            done[0]++;
            mutex.unlock();
            all.done();
          });
    }
    all.await();
    int seen = done[0];
    ends.await();
    if (seen != 2) {
      throw new AssertionError("expected 2, were " + seen);
    }
  }

  private static void report(boolean isUnderLock) throws Exception {
    Mutex mutex = new Mutex();
    Chan<Integer> reports = Chan.make();
    WaitGroup all = new WaitGroup();
    all.go(
        () -> {
          mutex.lock();
          if (isUnderLock) {
            reports.send(1);
            mutex.unlock();
          } else {
            mutex.unlock();
            reports.send(1);
          }
        });
    mutex.lock();
    mutex.unlock();
    reports.receive();
    all.await();
  }

  private static void make(boolean isAtomic) throws Exception {
    ConcurrentHashMap<String, List<String>> cache = new ConcurrentHashMap<>();
    int[] made = {0};
    WaitGroup all = new WaitGroup();
    for (int i = 0; i < 2; i++) {
      all.go(
          () -> {
            if (isAtomic) {
              cache.computeIfAbsent("key", _ -> List.of("made " + ++made[0]));
            } else if (!cache.containsKey("key")) {
              cache.put("key", List.of("made " + ++made[0]));
            }
          });
    }
    all.await();
    if (made[0] != 1) {
      throw new AssertionError("made " + made[0]);
    }
  }

  private static void add(boolean isLocked) throws Exception {
    Object monitor = new Object();
    int[] count = {0};
    WaitGroup all = new WaitGroup();
    for (int i = 0; i < 2; i++) {
      all.go(
          () -> {
            if (isLocked) {
              synchronized (monitor) {
                count[0]++;
              }
            } else {
              count[0]++;
            }
          });
    }
    all.await();
    if (count[0] != 2) {
      throw new AssertionError("counted " + count[0] + " at " + Bubble.elapsed());
    }
  }
}
