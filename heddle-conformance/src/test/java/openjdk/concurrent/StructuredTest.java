package openjdk.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.StructureViolationException;
import java.util.concurrent.StructuredTaskScope;
import java.util.concurrent.StructuredTaskScope.Joiner;
import java.util.concurrent.StructuredTaskScope.Subtask;
import openjdk.VirtualTest;
import openjdk.World;
import org.junit.jupiter.api.Test;

/** Structured concurrency, a preview in 25: StructuredTaskScopeTest.java, ThreadFlockTest.java. */
class StructuredTest extends VirtualTest {
  private static final ScopedValue<String> USER = ScopedValue.newInstance();

  @Test
  void everySubtaskIsAThreadInThisWorld() throws Exception {
    platformAndVirtual(
        () -> {
          Set<Thread> threads = ConcurrentHashMap.newKeySet();
          try (var scope = StructuredTaskScope.open()) {
            for (int i = 0; i < 100; i++) {
              scope.fork(() -> threads.add(World.checkCaller()));
            }
            scope.join();
          }
          assertThat(threads).hasSize(100).allMatch(Thread::isVirtual);
        });
  }

  @Test
  void resultsAreThereAfterTheJoin() throws Exception {
    platformAndVirtual(
        () -> {
          try (var scope = StructuredTaskScope.open()) {
            Subtask<Integer> one = scope.fork(() -> slowly(1));
            Subtask<Integer> two = scope.fork(() -> slowly(2));
            scope.join();
            assertThat(one.get() + two.get()).isEqualTo(3);
            assertThat(one.state()).isEqualTo(Subtask.State.SUCCESS);
          }
        });
  }

  @Test
  void aFailureEndsTheOthers() throws Exception {
    platformAndVirtual(
        () -> {
          CountDownLatch running = new CountDownLatch(1);
          CountDownLatch interrupted = new CountDownLatch(1);
          try (var scope = StructuredTaskScope.open()) {
            Subtask<?> other = scope.fork(() -> sleepForEver(running, interrupted));
            scope.fork(
                () -> {
                  running.await();
                  throw new IllegalStateException("told");
                });
            assertThatExceptionOfType(StructuredTaskScope.FailedException.class)
                .isThrownBy(scope::join)
                .withCauseInstanceOf(IllegalStateException.class);
            assertThat(other.state()).isEqualTo(Subtask.State.UNAVAILABLE);
          }
          interrupted.await();
        });
  }

  @Test
  void aFailureInAnyOfMany() throws Exception {
    for (int i = 0; i < 50; i++) {
      int failing = i;
      virtually(
          () -> {
            try (var scope = StructuredTaskScope.open()) {
              for (int n = 0; n < 50; n++) {
                int mine = n;
                scope.fork(() -> failOrSleep(mine == failing));
              }
              assertThatExceptionOfType(StructuredTaskScope.FailedException.class)
                  .isThrownBy(scope::join);
            }
          });
    }
  }

  @Test
  void theFirstResultEndsTheOthers() throws Exception {
    platformAndVirtual(
        () -> {
          CountDownLatch running = new CountDownLatch(1);
          CountDownLatch interrupted = new CountDownLatch(1);
          try (var scope = StructuredTaskScope.open(Joiner.<String>anySuccessfulResultOrThrow())) {
            scope.fork(() -> sleepForEver(running, interrupted));
            scope.fork(
                () -> {
                  running.await();
                  return "first";
                });
            assertThat(scope.join()).isEqualTo("first");
          }
          interrupted.await();
        });
  }

  @Test
  void allResultsAsAStream() throws Exception {
    virtually(
        () -> {
          try (var scope = StructuredTaskScope.open(Joiner.<Integer>allSuccessfulOrThrow())) {
            for (int i = 0; i < 10; i++) {
              int n = i;
              scope.fork(() -> slowly(n));
            }
            assertThat(scope.join().mapToInt(Subtask::get).sum()).isEqualTo(45);
          }
        });
  }

  @Test
  void waitingForAllDespiteFailures() throws Exception {
    virtually(
        () -> {
          try (var scope = StructuredTaskScope.open(Joiner.<Integer>awaitAll())) {
            Subtask<Integer> good = scope.fork(() -> slowly(1));
            Subtask<Integer> bad =
                scope.fork(
                    () -> {
                      throw new IllegalStateException("told");
                    });
            scope.join();
            assertThat(good.get()).isOne();
            assertThat(bad.exception()).hasMessage("told");
          }
        });
  }

  @Test
  void aTimeLimit() throws Exception {
    platformAndVirtual(
        () -> {
          CountDownLatch running = new CountDownLatch(1);
          CountDownLatch interrupted = new CountDownLatch(1);
          try (var scope =
              StructuredTaskScope.open(
                  Joiner.<String>awaitAllSuccessfulOrThrow(),
                  config -> config.withTimeout(Duration.ofMillis(20)))) {
            scope.fork(() -> sleepForEver(running, interrupted));
            assertThatExceptionOfType(StructuredTaskScope.TimeoutException.class)
                .isThrownBy(scope::join);
          }
          assertThat(running.getCount() == 0 && interrupted.getCount() > 0).isFalse();
        });
  }

  @Test
  void anInterruptOfTheOwnerEndsTheJoin() throws Exception {
    virtually(
        () -> {
          CountDownLatch running = new CountDownLatch(1);
          CountDownLatch interrupted = new CountDownLatch(1);
          try (var scope = StructuredTaskScope.open()) {
            scope.fork(() -> sleepForEver(running, interrupted));
            interruptWhen(Thread.currentThread(), Thread.State.WAITING);
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(scope::join);
          }
          assertThat(running.getCount() == 0 && interrupted.getCount() > 0).isFalse();
        });
  }

  @Test
  void namesAndFactories() throws Exception {
    virtually(
        () -> {
          try (var scope =
              StructuredTaskScope.open(
                  Joiner.<String>awaitAllSuccessfulOrThrow(),
                  config ->
                      config
                          .withName("scope")
                          .withThreadFactory(Thread.ofVirtual().name("sub-", 0).factory()))) {
            Subtask<String> name = scope.fork(() -> World.checkCaller().getName());
            scope.join();
            assertThat(name.get()).isEqualTo("sub-0");
          }
        });
  }

  @Test
  void scopedValuesAreInherited() throws Exception {
    platformAndVirtual(
        () ->
            ScopedValue.where(USER, "duke")
                .call(
                    () -> {
                      try (var scope = StructuredTaskScope.open()) {
                        Subtask<String> user =
                            scope.fork(
                                () -> {
                                  Thread.yield();
                                  try (var inner = StructuredTaskScope.open()) {
                                    Subtask<String> deep = inner.fork(USER::get);
                                    inner.join();
                                    return deep.get();
                                  }
                                });
                        scope.join();
                        assertThat(user.get()).isEqualTo("duke");
                        return null;
                      }
                    }));
  }

  @Test
  void onlyTheOwnerMayForkAndJoin() throws Exception {
    virtually(
        () -> {
          try (var scope = StructuredTaskScope.open()) {
            virtually(
                () -> {
                  assertThatExceptionOfType(WrongThreadException.class)
                      .isThrownBy(() -> scope.fork(() -> "x"));
                  assertThatExceptionOfType(WrongThreadException.class).isThrownBy(scope::join);
                });
            scope.join();
          }
        });
  }

  @Test
  void theOrderOfScopesIsKept() throws Exception {
    virtually(
        () -> {
          var outer = StructuredTaskScope.open();
          var inner = StructuredTaskScope.open();
          outer.join();
          inner.join();
          assertThatExceptionOfType(StructureViolationException.class).isThrownBy(outer::close);
          inner.close();
        });
    virtually(
        () -> {
          try (var scope = StructuredTaskScope.open()) {
            ScopedValue.where(USER, "duke")
                .run(
                    () ->
                        assertThatExceptionOfType(StructureViolationException.class)
                            .isThrownBy(() -> scope.fork(() -> "x")));
            scope.join();
          }
        });
  }

  private static Object failOrSleep(boolean fail) throws InterruptedException {
    if (fail) {
      throw new IllegalStateException("told");
    }
    Thread.sleep(Duration.ofHours(1));
    return null;
  }

  private static int slowly(int n) throws InterruptedException {
    Thread.sleep(1);
    return n;
  }

  private static String sleepForEver(CountDownLatch running, CountDownLatch interrupted)
      throws InterruptedException {
    running.countDown();
    try {
      Thread.sleep(Duration.ofHours(1));
      return "never";
    } catch (InterruptedException e) {
      interrupted.countDown();
      throw e;
    }
  }
}
