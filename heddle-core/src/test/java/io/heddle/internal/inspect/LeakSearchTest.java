package io.heddle.internal.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.heddle.Await;
import io.heddle.HangGuard;
import io.heddle.internal.jdk.FinalReferences;
import io.heddle.internal.sched.BareSched;
import io.heddle.internal.sched.G;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A search for leaks that fails leaves all goroutines in the lists. */
@HangGuard
class LeakSearchTest {
  private static final int LEAKED = 10;
  private static final int LAST_MADE = 6;
  private static final long PATIENCE_MILLIS = 10;

  private final BareSched bare = new BareSched().procs(1).open();
  private int made;

  @BeforeEach
  @HangGuard
  void leak() {
    for (int i = 0; i < LEAKED; i++) {
      bare.go(() -> LockSupport.park(new Object()));
    }
    Await.until(() -> waiting() == LEAKED);
    bare.awaitIdle();
  }

  /** Closing waits for each goroutine, and works only if the interrupt has reached it. */
  @AfterEach
  @HangGuard
  void close() {
    bare.sched().registry().interruptAll();
    bare.close();
    assertThat(bare.sched().registry().living()).isZero();
  }

  @Test
  void goroutinesStayIfAReferenceCannotBeMade() {
    assertThatThrownBy(() -> search(this::failAfterSome)).hasMessage("no memory");
    Leaks.collectOnce();
    assertThat(waiting()).isEqualTo(LEAKED);
  }

  @Test
  void goroutinesStayIfAReferenceIsNotEnqueued() {
    ReferenceQueue<G> elsewhere = new ReferenceQueue<>();
    Await.until( // a search misses a goroutine that the M still refers to
        () -> {
          Throwable thrown =
              catchThrowable(() -> search((g, _) -> FinalReferences.make(g, elsewhere)));
          return thrown != null && thrown.getMessage().startsWith("cannot find leaks: the JVM has");
        });
    Leaks.collectOnce();
    assertThat(waiting()).isEqualTo(LEAKED);
  }

  private static void search(BiFunction<G, ReferenceQueue<G>, Reference<G>> keeper) {
    new LeakSearch(keeper, PATIENCE_MILLIS).run(0, _ -> {});
  }

  /** Returns how many goroutines are in the list and wait. */
  private long waiting() {
    return bare.sched()
        .registry()
        .goroutines()
        .filter(g -> g.thread().getState() == Thread.State.WAITING)
        .count();
  }

  private Reference<G> failAfterSome(G g, ReferenceQueue<G> queue) {
    if (g.sched() == bare.sched() && ++made > LAST_MADE) {
      throw new OutOfMemoryError("no memory");
    }
    return FinalReferences.make(g, queue);
  }
}
