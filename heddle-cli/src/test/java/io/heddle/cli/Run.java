package io.heddle.cli;

import io.heddle.cli.screen.Screen;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** One run of the command inside this JVM, and its output. */
record Run(int exitCode, String out, String err) {
  static Run of(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Screen screen =
        Screen.of(new PrintWriter(out), StandardCharsets.UTF_8, false, Map.of("TERM", "xterm"));
    int exitCode = Heddle.run(screen, new PrintWriter(err), args);
    return new Run(exitCode, out.toString(), err.toString());
  }
}
