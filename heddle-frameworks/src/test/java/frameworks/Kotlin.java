package frameworks;

import io.heddle.Scheduler;
import kotlin.Unit;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.CoroutineStart;
import kotlinx.coroutines.ExecutorsKt;
import kotlinx.coroutines.GlobalScope;

/** A dispatcher of Kotlin's coroutines; {@code ExecutorsKt.from} is asCoroutineDispatcher(). */
final class Kotlin {
  private Kotlin() {}

  public static void main(String[] args) throws InterruptedException {
    CoroutineDispatcher goroutines = ExecutorsKt.from(Scheduler.shared().executor());
    Proof.of(
        task ->
            BuildersKt.launch(
                GlobalScope.INSTANCE,
                goroutines,
                CoroutineStart.DEFAULT,
                (scope, continuation) -> {
                  task.run();
                  return Unit.INSTANCE;
                }));
  }
}
