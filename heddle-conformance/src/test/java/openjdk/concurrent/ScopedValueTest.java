package openjdk.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.locks.LockSupport;
import openjdk.Pinned;
import openjdk.VirtualTest;
import org.junit.jupiter.api.Test;

/**
 * Scoped values in virtual threads: ScopedValueAPI.java, ManyBindings.java,
 * StressStackOverflow.java.
 */
class ScopedValueTest extends VirtualTest {
  private static final ScopedValue<String> NAME = ScopedValue.newInstance();
  private static final ScopedValue<Integer> NUMBER = ScopedValue.newInstance();

  @Test
  void boundInACallAndNotAfterIt() throws Exception {
    virtually(
        () -> {
          assertThat(NAME.isBound()).isFalse();
          ScopedValue.where(NAME, "duke").run(() -> assertThat(NAME.get()).isEqualTo("duke"));
          assertThat(NAME.isBound()).isFalse();
          assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(NAME::get);
          assertThat(NAME.orElse("none")).isEqualTo("none");
        });
  }

  @Test
  void boundAgainInside() throws Exception {
    virtually(
        () ->
            ScopedValue.where(NAME, "outer")
                .where(NUMBER, 1)
                .run(
                    () -> {
                      ScopedValue.where(NAME, "inner")
                          .run(
                              () -> {
                                Thread.yield();
                                assertThat(NAME.get()).isEqualTo("inner");
                                assertThat(NUMBER.get()).isOne();
                              });
                      assertThat(NAME.get()).isEqualTo("outer");
                    }));
  }

  @Test
  void staysBoundOverParksOnAnyCarrier() throws Exception {
    List<Started<Void>> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      int mine = i;
      all.add(
          start(
              () ->
                  ScopedValue.where(NUMBER, mine)
                      .run(
                          () -> {
                            for (int n = 0; n < 20; n++) {
                              LockSupport.parkNanos(1_000);
                              assertThat(NUMBER.get()).isEqualTo(mine);
                            }
                          })));
    }
    awaitAll(all);
  }

  @Test
  void isNotInheritedByAPlainStart() throws Exception {
    platformAndVirtual(
        () ->
            ScopedValue.where(NAME, "duke")
                .call(() -> call(() -> NAME.isBound()).result() ? failure() : null));
  }

  @Test
  void exceptionLeavesNothingBound() throws Exception {
    virtually(
        () -> {
          assertThatExceptionOfType(IllegalStateException.class)
              .isThrownBy(
                  () ->
                      ScopedValue.where(NAME, "duke")
                          .run(
                              () -> {
                                Thread.yield();
                                throw new IllegalStateException();
                              }));
          assertThat(NAME.isBound()).isFalse();
        });
  }

  @Test
  void whilePinned() throws Exception {
    virtually(
        () ->
            ScopedValue.where(NAME, "duke")
                .call(
                    () -> {
                      Pinned.run(
                          () -> {
                            LockSupport.parkNanos(1_000);
                            assertThat(NAME.get()).isEqualTo("duke");
                          });
                      return null;
                    }));
  }

  @Test
  void stackOverflowKeepsTheBindings() throws Exception {
    virtually(
        () ->
            ScopedValue.where(NUMBER, 0)
                .run(
                    () -> {
                      assertThatExceptionOfType(StackOverflowError.class)
                          .isThrownBy(ScopedValueTest::deeper);
                      assertThat(NUMBER.get()).isZero();
                      Thread.yield();
                      assertThat(NUMBER.get()).isZero();
                    }));
  }

  private static void deeper() {
    ScopedValue.where(NUMBER, NUMBER.get() + 1).run(ScopedValueTest::deeper);
  }

  private static Object failure() {
    throw new AssertionError("inherited");
  }
}
