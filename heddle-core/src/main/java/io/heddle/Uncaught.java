package io.heddle;

import java.io.PrintWriter;
import java.io.StringWriter;

/** What happens to an exception that nobody caught, unless the builder says otherwise: one block on standard error. */
final class Uncaught {
  private Uncaught() {}

  static void print(Goroutine g, Throwable thrown) {
    StringWriter block = new StringWriter();
    PrintWriter out = new PrintWriter(block);
    out.print("Exception in " + g + " ");
    thrown.printStackTrace(out);
    out.print(((LiveGoroutine) g).createdBy());
    out.flush();
    System.err.print(block); // at once, so that blocks of several goroutines do not mix
  }
}
