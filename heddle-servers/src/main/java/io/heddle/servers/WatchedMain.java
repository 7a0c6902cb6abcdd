package io.heddle.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Runs a program that does not use Heddle, and serves commands on standard input: {@code dump}
 * prints the dump of the shared scheduler, {@code profile} a profile of a second. The program ends
 * when its parent process ends.
 */
public final class WatchedMain {
  static final String DUMP = "dump";
  static final String PROFILE = "profile";
  static final String END_OF_DUMP = "end of dump";

  private WatchedMain() {}

  public static void main(String[] args) throws Throwable {
    Thread.ofPlatform().daemon().name("watch").start(WatchedMain::answer);
    try {
      Class.forName(args[0])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static void answer() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals(DUMP)) {
          System.out.println(dump() + "\n" + END_OF_DUMP);
        } else if (line.equals(PROFILE)) {
          System.out.println(profile() + "\n" + END_OF_DUMP);
        }
      }
    } catch (IOException e) {
      System.err.println("cannot read further commands: " + e);
    }
    Runtime.getRuntime().halt(0);
  }

  /** Returns a line for each stack. Uses reflection, like {@link #dump}. */
  private static String profile() {
    try {
      Class<?> scheduler = Class.forName("io.heddle.Scheduler");
      Object shared = scheduler.getMethod("shared").invoke(null);
      Object stacks =
          scheduler.getMethod("profile", Duration.class).invoke(shared, Duration.ofSeconds(1));
      return ((List<?>) stacks).stream().map(Object::toString).collect(Collectors.joining("\n"));
    } catch (ReflectiveOperationException e) {
      return e.toString();
    }
  }

  /** Uses reflection, because without the agent Heddle is not on the class path either. */
  private static String dump() {
    try {
      Class<?> scheduler = Class.forName("io.heddle.Scheduler");
      Object shared = scheduler.getMethod("shared").invoke(null);
      return (String) scheduler.getMethod("dump").invoke(shared);
    } catch (ReflectiveOperationException e) {
      return e.toString();
    }
  }
}
