package child;

import io.heddle.Go;
import java.io.IOException;

/** A goroutine that a goroutine started fails. The program continues. */
public final class Throws {
  private Throws() {}

  public static void main(String[] args) throws Exception {
    Go.main(
        () -> {
          Go.go("thrower", () -> fail()).join();
          System.out.println("goes on");
        });
  }

  private static void fail() throws IOException {
    throw new IOException("broken");
  }
}
