package golang.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import golang.GoTest;
import golang.Until;
import io.heddle.Once;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

/** Go's {@code sync/oncefunc_test.go}, as far as it applies to {@link Once}. */
class OncefuncTest extends GoTest {
  private int calls;

  @Test
  void onceFunc() throws Exception {
    run(
        () -> {
          Once once = new Once();
          for (int i = 0; i < 10; i++) {
            once.run(() -> calls++);
          }
          assertThat(calls).isEqualTo(1);
        });
  }

  @Test
  void onceFuncPanicTraceback() throws Exception {
    run(
        () -> {
          Throwable thrown = catchThrowable(() -> new Once().run(OncefuncTest::fail));
          assertThat(thrown.getStackTrace()[0].getMethodName()).isEqualTo("fail");
        });
  }

  /** It does not retain the action after it ran. */
  @Test
  void onceXGC() throws Exception {
    run(
        () -> {
          Once good = new Once();
          Once bad = new Once();
          WeakReference<Object> kept = runWithAnObject(good, false);
          WeakReference<Object> keptAfterFailure = runWithAnObject(bad, true);
          Until.until(
              () -> {
                System.gc();
                return kept.refersTo(null) && keptAfterFailure.refersTo(null);
              });
          good.run(OncefuncTest::fail);
          bad.run(OncefuncTest::fail);
        });
  }

  private static void fail() {
    throw new IllegalStateException("x");
  }

  private static WeakReference<Object> runWithAnObject(Once once, boolean fails) {
    Object object = new Object();
    catchThrowable(
        () ->
            once.run(
                () -> {
                  assertThat(object).isNotNull();
                  if (fails) {
                    fail();
                  }
                }));
    return new WeakReference<>(object);
  }
}
