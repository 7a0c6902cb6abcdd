package child;

import io.heddle.Go;

/** Prints a greeting from a goroutine, and needs nothing else of the JDK. */
public final class Greeting {
  private Greeting() {}

  public static void main(String[] args) throws Exception {
    Go.main(() -> Go.go(Greeting::print).join());
  }

  private static void print() {
    System.out.println("hello");
  }
}
