package child;

import io.heddle.Go;

/** Prints the number of Ps. */
public final class PrintProcs {
  private PrintProcs() {}

  public static void main(String[] args) {
    System.out.println("procs " + Go.procs());
  }
}
