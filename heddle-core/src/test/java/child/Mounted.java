package child;

import static io.heddle.Go.go;

import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.internal.jdk.Mounter;

/**
 * Prints the name of the mounter, and a sum that its goroutines computed. With an argument it
 * interrupts the main thread before it first uses Heddle, and prints the name and whether the
 * interrupt status was kept.
 */
public final class Mounted {
  private Mounted() {}

  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      Thread.currentThread().interrupt();
      Go.go(() -> {});
      System.out.println(Mounter.current().name() + " " + Thread.interrupted());
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
          System.out.println(Mounter.current().name() + " " + sum);
        });
  }
}
