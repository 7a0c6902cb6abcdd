package io.heddle;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * The default handler for an exception that leaves a goroutine: writes one block to standard error.
 */
final class Uncaught {
  private Uncaught() {}

  static void print(Goroutine g, Throwable thrown) {
    StringWriter block = new StringWriter();
    PrintWriter out = new PrintWriter(block);
    out.print("Exception in " + g + " ");
    thrown.printStackTrace(out);
    out.print(
        g instanceof LiveGoroutine live ? live.createdBy() : ((PlainGoroutine) g).createdBy());
    out.flush();
    System.err.print(block); // in one call, so that blocks of several goroutines do not mix
  }
}
