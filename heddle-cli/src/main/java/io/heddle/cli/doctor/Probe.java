package io.heddle.cli.doctor;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;

/**
 * Runs in place of the user's program, with its flags and class path: uses Heddle if it is there,
 * and waits until the doctor has looked. This class must not need any other class of the command.
 */
public final class Probe {
  /** What is printed on standard output when the doctor can look. */
  static final String READY = "heddle-doctor-probe-is-ready";

  private Probe() {}

  public static void main(String[] args) throws IOException {
    useHeddle();
    System.out.println(READY);
    while (System.in.read() >= 0) {} // until the doctor closes the pipe, or ends
    Runtime.getRuntime().halt(0);
  }

  private static void useHeddle() {
    if (System.getProperty("io.heddle.status", "").contains("mode=watch")) {
      return; // a program that is watched has no scheduler of Heddle
    }
    try {
      Class.forName("io.heddle.Scheduler").getMethod("shared").invoke(null);
    } catch (ClassNotFoundException e) {
      // the program does not have the library
    } catch (InvocationTargetException e) {
      System.err.println("heddle: " + e.getTargetException().getMessage());
    } catch (ReflectiveOperationException | LinkageError e) {
      System.err.println("heddle: " + e);
    }
  }
}
