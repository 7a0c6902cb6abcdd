package io.heddle.internal.base;

/** Tells a JDK that is too old for Heddle. Compiled for Java 8. */
public final class OldJdk {
  private static final int OLDEST = 25;

  private OldJdk() {}

  /** Returns a sentence for the user; null on a JDK that can load Heddle's classes. */
  public static String message() {
    int version = version(System.getProperty("java.specification.version"));
    return version >= OLDEST
        ? null
        : "Heddle needs JDK " + OLDEST + " or newer, this is " + version;
  }

  /** Returns the number of a Java version: 8 for {@code 1.8}, 17 for {@code 17}. */
  private static int version(String specification) {
    String number = specification.startsWith("1.") ? specification.substring(2) : specification;
    return Integer.parseInt(number);
  }
}
