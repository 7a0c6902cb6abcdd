package io.heddle.junit.own;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Bubble;
import io.heddle.Chan;
import io.heddle.Context;
import io.heddle.Go;
import io.heddle.Group;
import io.heddle.Mutex;
import io.heddle.Once;
import io.heddle.RWMutex;
import io.heddle.Select;
import io.heddle.Semaphore;
import io.heddle.Timer;
import io.heddle.WaitGroup;
import io.heddle.junit.HeddleTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;

/** What must hold of our own channels, locks and timers under every schedule. */
class PrimitivesTest {
  private static final int SEEDS = 400;

  private final WaitGroup all = new WaitGroup();
  private int inside;
  private int done;

  @BeforeEach
  void isNew() {
    assertThat(done).isZero();
  }

  @HeddleTest(seeds = SEEDS)
  void whatIsSentArrivesOnceAndInOrder() throws Exception {
    Chan<Integer> chan = Chan.make(2);
    for (int sender = 0; sender < 3; sender++) {
      int first = sender * 100;
      all.go(
          () -> {
            for (int i = 0; i < 5; i++) {
              chan.send(first + i);
            }
          });
    }
    Go.go(
        () -> {
          all.await();
          chan.close();
        });
    List<List<Integer>> got = List.of(new ArrayList<>(), new ArrayList<>());
    WaitGroup receivers = new WaitGroup();
    got.forEach(each -> receivers.go(() -> chan.forEach(each::add)));
    receivers.await();
    for (List<Integer> each : got) {
      for (int sender = 0; sender < 3; sender++) {
        int of = sender;
        assertThat(each.stream().filter(v -> v / 100 == of).toList()).isSorted();
      }
    }
    assertThat(got.stream().flatMap(List::stream).sorted())
        .containsExactlyElementsOf(
            IntStream.range(0, 15).mapToObj(i -> i / 5 * 100 + i % 5).toList());
  }

  @HeddleTest(seeds = SEEDS)
  void aSelectTakesOneAndLeavesTheRest() throws Exception {
    Chan<Integer> a = Chan.make();
    Chan<Integer> b = Chan.make();
    Chan<Integer> quit = Chan.make();
    all.go(() -> IntStream.range(0, 4).forEach(i -> send(a, i)));
    all.go(() -> IntStream.range(0, 4).forEach(i -> send(b, i)));
    List<Integer> fromA = new ArrayList<>();
    List<Integer> fromB = new ArrayList<>();
    Go.go(
        () -> {
          all.await();
          quit.close();
        });
    boolean[] over = {false};
    while (!over[0]) {
      Select.select(
          Select.recv(a, fromA::add),
          Select.recv(b, fromB::add),
          Select.recv(quit, _ -> over[0] = true));
    }
    assertThat(fromA).containsExactly(0, 1, 2, 3);
    assertThat(fromB).containsExactly(0, 1, 2, 3);
  }

  private static void send(Chan<Integer> chan, int v) {
    try {
      chan.send(v);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @HeddleTest(seeds = SEEDS)
  void aMutexLetsOneIn() throws Exception {
    Mutex mutex = new Mutex();
    for (int i = 0; i < 4; i++) {
      all.go(
          () -> {
            for (int round = 0; round < 3; round++) {
              mutex.lock();
              try {
                assertThat(++inside).isEqualTo(1);
                Bubble.point();
                inside--;
                done++;
              } finally {
                mutex.unlock();
              }
            }
          });
    }
    all.await();
    assertThat(done).isEqualTo(12);
  }

  @HeddleTest(seeds = SEEDS)
  void aConditionLosesNoSignal() throws Exception {
    Mutex mutex = new Mutex();
    Condition ready = mutex.newCondition();
    List<Integer> queue = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      all.go(
          () -> {
            mutex.lock();
            try {
              while (queue.isEmpty()) {
                ready.await();
              }
              queue.removeLast();
              done++;
            } finally {
              mutex.unlock();
            }
          });
      all.go(
          () -> {
            mutex.lock();
            try {
              queue.add(1);
              ready.signal();
            } finally {
              mutex.unlock();
            }
          });
    }
    all.await();
    assertThat(done).isEqualTo(3);
  }

  @HeddleTest(seeds = SEEDS)
  void anRwMutexKeepsWritersAlone() throws Exception {
    RWMutex mutex = new RWMutex();
    int[] readers = {0};
    for (int i = 0; i < 3; i++) {
      all.go(
          () -> {
            mutex.readLock().lock();
            readers[0]++;
            Bubble.point();
            assertThat(inside).isZero();
            readers[0]--;
            mutex.readLock().unlock();
          });
      all.go(
          () -> {
            mutex.writeLock().lock();
            inside++;
            Bubble.point();
            assertThat(readers[0]).isZero();
            assertThat(inside).isEqualTo(1);
            inside--;
            mutex.writeLock().unlock();
          });
    }
    all.await();
  }

  @HeddleTest(seeds = SEEDS)
  void aSemaphoreNeverGivesMoreThanItHas() throws Exception {
    Semaphore semaphore = new Semaphore(5);
    for (int i = 1; i <= 5; i++) {
      int n = i;
      all.go(
          () -> {
            semaphore.acquire(n);
            inside += n;
            Bubble.point();
            assertThat(inside).isLessThanOrEqualTo(5);
            inside -= n;
            semaphore.release(n);
          });
    }
    all.await();
    assertThat(semaphore.tryAcquire(5)).isTrue();
  }

  @HeddleTest(seeds = SEEDS)
  void onceIsOnceAndDoneForAllWaiters() throws Exception {
    Once once = new Once();
    for (int i = 0; i < 4; i++) {
      all.go(
          () -> {
            once.run(
                () -> {
                  Bubble.point();
                  done++;
                });
            assertThat(done).isEqualTo(1);
          });
    }
    all.await();
  }

  @HeddleTest(seeds = SEEDS)
  void cancelEndsAllContextsBelow() throws Exception {
    Context.Cancelable parent = Context.background().withCancel();
    for (int i = 0; i < 4; i++) {
      Context child = i % 2 == 0 ? parent.withCancel() : parent.withTimeout(Duration.ofHours(1));
      all.go(
          () -> {
            child.done().receive();
            assertThat(child.err()).isNotNull();
            done++;
          });
    }
    all.go(parent::cancel);
    all.await();
    assertThat(done).isEqualTo(4);
    assertThat(Bubble.elapsed()).isZero();
  }

  @HeddleTest(seeds = SEEDS)
  void whatStopPreventsDoesNotHappen() throws Exception {
    Timer timer = Timer.schedule(Duration.ofSeconds(1), () -> done++);
    all.go(() -> Go.sleep(Duration.ofSeconds(1)));
    all.await();
    boolean prevented = timer.stop();
    Bubble.settle();
    assertThat(done).isEqualTo(prevented ? 0 : 1);
  }

  @HeddleTest(seeds = SEEDS)
  void aTimeoutAndAnAnswerAtTheSameTimeAreOneOrTheOther() throws Exception {
    Chan<Integer> answer = Chan.make(1);
    all.go(
        () -> {
          Go.sleep(Duration.ofSeconds(1));
          answer.send(1);
        });
    Select.select(
        Select.recv(answer, _ -> done++), Select.after(Duration.ofSeconds(1), () -> done++));
    assertThat(done).isEqualTo(1);
    assertThat(Bubble.elapsed()).isEqualTo(Duration.ofSeconds(1));
    all.await();
  }

  @HeddleTest(seeds = SEEDS)
  void aGroupKeepsItsLimitAndItsFirstFailure() throws Exception {
    Group group = new Group().limit(2);
    for (int i = 0; i < 5; i++) {
      group.go(
          () -> {
            assertThat(++inside).isLessThanOrEqualTo(2);
            Bubble.point();
            inside--;
            done++;
          });
    }
    group.await();
    assertThat(done).isEqualTo(5);
  }
}
