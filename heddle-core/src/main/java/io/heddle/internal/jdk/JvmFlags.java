package io.heddle.internal.jdk;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.internal.misc.VM;

/** The flags with which this JVM was started, also those from variables and files of arguments. */
public final class JvmFlags {
  private JvmFlags() {}

  /** Returns the flags; an empty list if there are none, or if java.lang is not open to Heddle. */
  public static List<String> given() {
    String[] flags = VirtualThreads.isOpen() ? VM.getRuntimeArguments() : null;
    return flags == null ? List.of() : List.of(flags);
  }

  /** Whether the user has told the JVM how many CPUs there are, or to ignore the container. */
  public static boolean fixCpus(List<String> flags) {
    for (String flag : flags) { // no stream: this runs at each start
      if (flag.startsWith("-XX:ActiveProcessorCount=") || flag.equals("-XX:-UseContainerSupport")) {
        return true;
      }
    }
    return false;
  }

  /** Returns the size of the stack that a platform thread may have, in bytes. */
  public static long stackBytes(List<String> flags) {
    long bytes = System.getProperty("os.arch").equals("aarch64") ? 2L << 20 : 1L << 20;
    for (String flag : flags) {
      if (flag.startsWith("-Xss") || flag.startsWith("-XX:ThreadStackSize=")) {
        bytes = SizeFlags.read(flag, bytes);
      }
    }
    return Math.max(1, bytes);
  }

  /**
   * Parses the flags that set the size of stacks. It is a class of its own because few programs
   * have such a flag. Without the flag, its patterns are never compiled.
   */
  private static final class SizeFlags {
    private static final Pattern STACK = Pattern.compile("-Xss(\\d{1,9})([kmgKMG]?)");
    private static final Pattern STACK_KILOBYTES =
        Pattern.compile("-XX:ThreadStackSize=(\\d{1,9})([kK]?)");

    /** Returns the bytes that {@code flag} sets; {@code otherwise} if it cannot be parsed. */
    static long read(String flag, long otherwise) {
      Matcher size = STACK.matcher(flag);
      if (size.matches()) {
        return Long.parseLong(size.group(1)) << shift(size.group(2));
      }
      Matcher kilobytes = STACK_KILOBYTES.matcher(flag);
      return kilobytes.matches() ? Long.parseLong(kilobytes.group(1)) << 10 : otherwise;
    }

    private static int shift(String unit) {
      return switch (unit) {
        case "k", "K" -> 10;
        case "m", "M" -> 20;
        case "g", "G" -> 30;
        default -> 0;
      };
    }
  }
}
