package io.heddle.cli.demo;

import io.heddle.cli.screen.Screen;

/** What to try now. */
final class NextSteps implements Section {
  /** A whole program; a test runs it. */
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
    screen.heading("Now you: Hello.java");
    screen.code(PROGRAM);
    screen.line("Run it with");
    screen.code(
        """
        java --add-opens java.base/java.lang=ALL-UNNAMED \\
             -cp heddle-core/target/heddle.jar Hello.java
        """);
    screen.line("README.md and docs/ tell more; 'mvn verify' tests it all on this machine.");
    return true;
  }
}
