package child;

import io.heddle.internal.jdk.JdkFeature;
import io.heddle.internal.jdk.OffNotices;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends at once after a feature turned out not to fit. Its standard error is slower than its end.
 */
public final class SlowNotice {
  private static final long SLOW_NANOS = 200_000_000;

  private SlowNotice() {}

  public static void main(String[] args) {
    CountDownLatch ending = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(ending::countDown));
    System.setErr(new SlowStream(System.err, ending));
    OffNotices.add(JdkFeature.CLOCK, "this is a test");
    OffNotices.add(JdkFeature.CLOCK, "this is told once");
  }

  private static final class SlowStream extends PrintStream {
    private final CountDownLatch ending;

    SlowStream(PrintStream out, CountDownLatch ending) {
      super(out, true);
      this.ending = ending;
    }

    @Override
    public void println(String line) {
      try {
        ending.await();
      } catch (InterruptedException e) {
        return;
      }
      LockSupport.parkNanos(SLOW_NANOS);
      super.println(line);
    }
  }
}
