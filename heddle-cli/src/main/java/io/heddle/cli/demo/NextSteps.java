package io.heddle.cli.demo;

import io.heddle.cli.screen.Screen;

/** Shows a first program to try. */
final class NextSteps implements Section {
  /** A complete program; a test runs it. */
  static final String PROGRAM =
      """
      import io.heddle.Go;

      void main() throws Exception {
        Go.main(() -> {
          var hello = Go.go(() -> IO.println("hello from " + Go.current()));
          hello.join();
        });
      }
      """;

  private final Screen screen;

  NextSteps(Screen screen) {
    this.screen = screen;
  }

  @Override
  public boolean play() {
    screen.heading("Your first program: Hello.java");
    screen.code(PROGRAM);
    screen.line("Run it with");
    screen.code(
        """
        java --add-opens java.base/java.lang=ALL-UNNAMED \\
             -cp heddle-core/target/heddle.jar Hello.java
        """);
    screen.line("See README.md and docs/ for more; 'mvn verify' runs all tests on this machine.");
    return true;
  }
}
