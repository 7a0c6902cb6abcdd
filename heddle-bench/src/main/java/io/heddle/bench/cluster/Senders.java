package io.heddle.bench.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The senders of a line that is used by threads of the JDK. */
final class Senders {
  private Senders() {}

  /** Runs {@code body} in {@code count} threads; throws the failure of one of them, if any. */
  static void run(Thread.Builder threads, int count, Line.Body body) throws Exception {
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(
          threads.start(
              () -> {
                try {
                  body.run();
                } catch (Exception e) {
                  failure.set(e);
                }
              }));
    }
    for (Thread each : all) {
      each.join();
    }
    Exception thrown = failure.get();
    if (thrown != null) {
      throw thrown;
    }
  }
}
