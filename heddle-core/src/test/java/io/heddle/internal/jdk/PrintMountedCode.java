package io.heddle.internal.jdk;

import java.io.IOException;
import java.util.List;

/**
 * Prints the code of the JDK that Heddle's mount stands in for, and the line for KnownMountCode.
 */
final class PrintMountedCode {
  private PrintMountedCode() {}

  public static void main(String[] args) throws IOException {
    System.out.print(MountedCode.normalForm(MountedClasses.read()));
    System.out.println(line());
  }

  /** The line of KnownMountCode for the JDK that runs. */
  static String line() throws IOException {
    List<byte[]> classFiles = MountedClasses.read();
    return "new Build(%d, 0x%08x, 0x%xL, \"%s %s\"),"
        .formatted(
            Runtime.version().feature(),
            MountedCode.fingerprint(classFiles),
            MountedClasses.checksum(classFiles),
            System.getProperty("java.vendor.version", System.getProperty("java.vendor")),
            Runtime.version());
  }
}
