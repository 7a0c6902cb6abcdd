package child;

import io.heddle.Go;

/**
 * Prints a greeting from a goroutine. With an argument, it tries twice and prints why each try
 * failed.
 */
public final class Hello {
  private Hello() {}

  public static void main(String[] args) throws Exception {
    if (args.length == 0) {
      hello();
      return;
    }
    for (int i = 0; i < 2; i++) {
      try {
        hello();
      } catch (IllegalStateException e) {
        System.err.println(e.getMessage());
      }
    }
  }

  private static void hello() throws Exception {
    Go.main(() -> System.out.println("hello from goroutine " + Go.current().id()));
  }
}
