package io.heddle.internal.jdk;

import java.util.List;

/**
 * The table of the JDK builds on which {@code java.lang.HeddleMount} may replace the JDK's mount. A
 * maintainer has read the {@link MountedCode} of each of them and found that HeddleMount fits it.
 */
final class KnownMountCode {
  /*
   * How to add a build. KnownMountCodeTest fails on a build that is not in the table, and prints
   * the line for it. Before you add that line:
   * 1. Run PrintMountedCode (a test class of this package) on the last build of the table and on
   *    the new one, and compare the outputs.
   * 2. Read each method that differs in the new JDK's src.zip. Check its steps against the table in
   *    HeddleMount, and check the SPIN model mount.pml if the order of writes differs.
   * 3. Run MounterTest, SubmissionTest, InterruptStormTest, ParkingTest, JdkBlockingTest,
   *    DebuggerViewTest and SpinTest on the new JDK.
   * If only the checksum differs, the methods are the same: add the line without these steps.
   */

  /**
   * A build of the JDK.
   *
   * @param release its feature number
   * @param fingerprint see {@link MountedCode#fingerprint}
   * @param checksum see {@link MountedClasses#checksum}
   * @param name for maintainers
   */
  private record Build(int release, int fingerprint, long checksum, String name) {}

  private static final List<Build> BUILDS =
      List.of(
          new Build(25, 0xd3562428, 0xa4da160d7d48L, "Temurin 25.0.3+9"),
          new Build(25, 0xf3b37a4b, 0xa547f7ab5e6fL, "Debian 25.0.5+1"),
          new Build(26, 0x4f46ff2a, 0xa66ec93af1efL, "Debian 26.0.2.1+1"),
          new Build(27, 0xa3dd7e82, 0x9e27e2948d85L, "Debian 27.0.1+1"),
          new Build(28, 0xa3dd7e82, 0x9e27d40844b1L, "Debian 28-ea+18"));

  private KnownMountCode() {}

  // The next two methods run at each start, so they use loops: the first stream of a process costs
  // milliseconds.

  /** Whether the class files of a known build have this checksum. */
  static boolean hasChecksum(long checksum) {
    for (Build build : BUILDS) {
      if (build.checksum == checksum) {
        return true;
      }
    }
    return false;
  }

  /** Whether a build of {@code release} is known that has this fingerprint. */
  static boolean hasFingerprint(int release, int fingerprint) {
    for (Build build : BUILDS) {
      if (build.release == release && build.fingerprint == fingerprint) {
        return true;
      }
    }
    return false;
  }
}
