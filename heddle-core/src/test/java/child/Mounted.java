package child;

import static io.heddle.Go.go;

import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.internal.jdk.Mounter;

/**
 * Prints which {@link Mounter} its goroutines used while they added some numbers. With an argument,
 * prints whether the mounter was found by an interrupted thread, and whether the thread is still
 * interrupted.
 */
public final class Mounted {
  private Mounted() {}

  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      Thread.currentThread().interrupt();
      Go.go(() -> {});
      System.out.println((Mounter.isOwn() ? "own " : "jdk ") + Thread.interrupted());
      return;
    }
    Go.main(
        () -> {
          Chan<Integer> numbers = Chan.make();
          go(
              () -> {
                for (int i = 0; i < 1_000; i++) {
                  numbers.send(i);
                  Go.gosched();
                }
                numbers.close();
              });
          int sum = 0;
          for (int i : numbers) {
            sum += i;
          }
          System.out.println((Mounter.isOwn() ? "own " : "jdk ") + sum);
        });
  }
}
