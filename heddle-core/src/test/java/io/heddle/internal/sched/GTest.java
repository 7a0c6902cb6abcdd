package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Await;
import io.heddle.HangGuard;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The state transitions of a goroutine: rule G1, and their part in Q7. */
@HangGuard
class GTest {
  private final BareSched bare = new BareSched();
  private BareSched.BareG g;

  @BeforeEach
  void makeOne() {
    bare.open();
    g = bare.newG(() -> {});
  }

  @AfterEach
  @HangGuard
  void close() {
    bare.close();
  }

  @Test
  void g1_newGoroutineBecomesRunnableThenRunning() {
    assertThat(g.goroutineState()).isEqualTo(GoroutineState.NEW);
    assertThat(g.toRunnable()).isTrue();
    assertThat(g.goroutineState()).isEqualTo(GoroutineState.RUNNABLE);
    g.toRunning();
    assertThat(g.isRunnable()).isFalse();
    assertThat(g.isNew()).isFalse();
  }

  @Test
  void g1_newGoroutineCannotRun() {
    assertThatThrownBy(g::toRunning)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("goroutine 0 cannot run: it is NEW");
  }

  @Test
  void g1_runningGoroutineCannotRunAgain() {
    g.toRunnable();
    g.toRunning();
    assertThatThrownBy(g::toRunning).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void g1_deadGoroutineStaysDead() throws Exception {
    bare.sched().start(g);
    g.join();
    Await.until(g::isDead);
    int finished = (int) SchedCounters.of(bare.sched()).finished();
    g.afterRun();
    assertThat(SchedCounters.of(bare.sched()).finished()).as("a second end").isEqualTo(finished);
    assertThat(g.toRunnable()).as("ready again").isFalse();
    assertThatThrownBy(g::toRunning).hasMessage("goroutine " + g.id + " cannot run: it is DEAD");
  }

  @Test
  void g1_goroutineOfLiveThreadIsNotDead() {
    g.toRunnable();
    g.toRunning();
    g.afterRun();
    assertThat(g.isDead()).isFalse();
  }

  /** As after an empty run of a thread that was suspended for a moment and can continue now. */
  @Test
  void q7_goroutineThatCanContinueAfterItsRunIsQueuedOnce() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    BareSched.BareG busy = bare.newG(() -> Await.until(() -> runs.get() == -1));
    bare.sched().procs(1);
    bare.sched().start(busy);
    Await.until(() -> busy.goroutineState() == GoroutineState.RUNNING);
    BareSched.BareG taken = bare.go(runs::incrementAndGet);
    assertThat(bare.sched().globalQueue.take()).isSameAs(taken);
    taken.toRunning();
    taken.afterRun();
    taken.afterRun();
    assertThat(taken.isRunnable()).isTrue();
    assertThat(bare.sched().globalQueue.size()).isEqualTo(1);
    runs.set(-1);
    taken.join();
    assertThat(runs).hasValue(0);
  }

  @Test
  void q7_queuedGoroutineCannotBeQueuedAgain() {
    assertThat(g.toRunnable()).isTrue();
    assertThat(g.toRunnable()).isFalse();
    g.toRunning();
    assertThat(g.toRunnable()).as("made ready while it runs").isTrue();
  }
}
