package io.heddle.internal.jdk;

import java.lang.invoke.MethodType;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The flags with which this JVM was started, also those from variables and files of arguments. */
public final class JvmFlags {
  private static final Pattern STACK = Pattern.compile("-Xss(\\d{1,9})([kmgKMG]?)");
  private static final Pattern STACK_KILOBYTES =
      Pattern.compile("-XX:ThreadStackSize=(\\d{1,9})([kK]?)");

  private JvmFlags() {}

  /** Returns the flags; an empty list if this JDK does not tell them. */
  public static List<String> given() {
    try {
      Class<?> vm = Class.forName("jdk.internal.misc.VM");
      return List.of(
          (String[])
              JdkLookup.in(vm)
                  .findStatic(vm, "getRuntimeArguments", MethodType.methodType(String[].class))
                  .invokeExact());
    } catch (Throwable t) {
      return List.of();
    }
  }

  /** Whether the user has told the JVM how many CPUs there are, or to ignore the container. */
  public static boolean fixCpus(List<String> flags) {
    return flags.stream()
        .anyMatch(
            flag ->
                flag.startsWith("-XX:ActiveProcessorCount=")
                    || flag.equals("-XX:-UseContainerSupport"));
  }

  /** Returns the size of the stack that a platform thread may have, in bytes. */
  public static long stackBytes(List<String> flags) {
    long bytes = System.getProperty("os.arch").equals("aarch64") ? 2L << 20 : 1L << 20;
    for (String flag : flags) {
      Matcher size = STACK.matcher(flag);
      if (size.matches()) {
        bytes = Long.parseLong(size.group(1)) << shift(size.group(2));
      }
      Matcher kilobytes = STACK_KILOBYTES.matcher(flag);
      if (kilobytes.matches()) {
        bytes = Long.parseLong(kilobytes.group(1)) << 10;
      }
    }
    return Math.max(1, bytes);
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
