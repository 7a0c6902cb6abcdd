package child;

import io.heddle.Go;

/** Says how many Ps there are. */
public final class PrintProcs {
  private PrintProcs() {}

  public static void main(String[] args) {
    System.out.println("procs " + Go.procs());
  }
}
