package openjdk.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import openjdk.VirtualTest;
import openjdk.World;
import org.junit.jupiter.api.Test;

/** Thread.ofVirtual and its factories: BuilderTest.java. */
class BuildersTest extends VirtualTest {
  @Test
  void threadsWithoutAName() throws Exception {
    Thread.Builder.OfVirtual builder = Thread.ofVirtual();
    for (Thread thread :
        new Thread[] {
          builder.unstarted(() -> {}),
          builder.start(() -> {}),
          builder.factory().newThread(() -> {})
        }) {
      assertThat(thread.isVirtual()).isTrue();
      assertThat(thread.getName()).isEmpty();
    }
  }

  @Test
  void aName() throws Exception {
    Thread.Builder builder = Thread.ofVirtual().name("duke");
    assertThat(builder.unstarted(() -> {}).getName()).isEqualTo("duke");
    assertThat(builder.start(() -> {}).getName()).isEqualTo("duke");
    ThreadFactory factory = builder.factory();
    assertThat(factory.newThread(() -> {}).getName()).isEqualTo("duke");
    assertThat(factory.newThread(() -> {}).getName()).isEqualTo("duke");
  }

  @Test
  void aNameAndACounter() throws Exception {
    Thread.Builder builder = Thread.ofVirtual().name("duke-", 100);
    assertThat(builder.unstarted(() -> {}).getName()).isEqualTo("duke-100");
    assertThat(builder.start(() -> {}).getName()).isEqualTo("duke-101");
    ThreadFactory factory = builder.factory();
    assertThat(factory.newThread(() -> {}).getName()).isEqualTo("duke-102");
    assertThat(factory.newThread(() -> {}).getName()).isEqualTo("duke-103");
  }

  @Test
  void invalidArguments() {
    Thread.Builder builder = Thread.ofVirtual();
    assertThatNullPointerException().isThrownBy(() -> builder.name(null));
    assertThatNullPointerException().isThrownBy(() -> builder.name(null, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.name("duke", -1));
    assertThatNullPointerException().isThrownBy(() -> builder.uncaughtExceptionHandler(null));
    assertThatNullPointerException().isThrownBy(() -> builder.unstarted(null));
    assertThatNullPointerException().isThrownBy(() -> builder.start(null));
    assertThatNullPointerException().isThrownBy(() -> builder.factory().newThread(null));
  }

  @Test
  void everyFactoryUsesTheSameScheduler() throws Exception {
    FutureTask<Thread> made = new FutureTask<>(World::checkCaller);
    Thread thread = Thread.ofVirtual().name("x", 1).factory().newThread(made);
    thread.start();
    assertThat(made.get()).isSameAs(thread);
    FutureTask<Thread> unstarted = new FutureTask<>(World::checkCaller);
    Thread.ofVirtual().unstarted(unstarted).start();
    unstarted.get();
    FutureTask<Thread> child = new FutureTask<>(World::checkCaller);
    Thread.ofPlatform().start(() -> Thread.startVirtualThread(child));
    child.get();
    FutureTask<Thread> grandchild = new FutureTask<>(World::checkCaller);
    Thread.startVirtualThread(() -> Thread.startVirtualThread(grandchild));
    grandchild.get();
  }

  @Test
  void aFactoryMayBeSharedByManyThreads() throws Exception {
    ThreadFactory factory = Thread.ofVirtual().name("n-", 0).factory();
    Started<?>[] makers = new Started<?>[8];
    for (int i = 0; i < makers.length; i++) {
      makers[i] =
          start(
              () -> {
                for (int n = 0; n < 1_000; n++) {
                  factory.newThread(() -> {});
                  Thread.yield();
                }
              });
    }
    for (Started<?> maker : makers) {
      maker.result();
    }
    assertThat(factory.newThread(() -> {}).getName()).isEqualTo("n-8000");
  }

  @Test
  void madeInOneAndStartedInAnother() throws Exception {
    Thread made = call(() -> Thread.ofVirtual().unstarted(LockSupport::park)).result();
    Thread.ofPlatform().start(made::start).join();
    LockSupport.unpark(await(made, Thread.State.WAITING));
    made.join();
    FutureTask<Thread> task = new FutureTask<>(World::checkCaller);
    Thread other = Thread.ofVirtual().unstarted(task);
    virtually(other::start);
    assertThat(task.get()).isSameAs(other);
  }
}
