package child;

import static io.heddle.Go.go;

import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.internal.jdk.Mounter;

/**
 * Says by which way its goroutines stepped on and off while they added up some numbers; with an argument, whether the way
 * was found by a thread that was interrupted, and still is.
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
