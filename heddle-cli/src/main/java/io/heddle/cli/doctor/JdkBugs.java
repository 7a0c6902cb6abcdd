package io.heddle.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** The bugs of JDK builds that leave virtual threads hanging, with or without Heddle. */
final class JdkBugs {
  private static final Runtime.Version SOUND_25 = Runtime.Version.parse("25.0.5");

  /** A bug is in all builds of {@code feature} from its first one up to {@code fixed}. */
  private record Bug(String id, String what, int feature, Runtime.Version fixed) {}

  private static final List<Bug> BUGS =
      List.of(
          new Bug(
              "JDK-8369227",
              "a virtual thread whose park has a time limit can stay PARKED for ever",
              25,
              Runtime.Version.parse("25.0.3")),
          new Bug(
              "JDK-8373120",
              "a virtual thread that Object.notify woke can stay BLOCKED for ever",
              25,
              Runtime.Version.parse("25.0.4")),
          new Bug(
              "JDK-8373120",
              "a virtual thread that Object.notify woke can stay BLOCKED for ever",
              26,
              Runtime.Version.parse("26.0.1")));

  private JdkBugs() {}

  static List<Finding> of(Runtime.Version version) {
    List<Finding> found = new ArrayList<>();
    for (Bug bug : BUGS) {
      if (version.feature() == bug.feature
          && version.compareToIgnoreOptional(bug.fixed) < 0
          && !isBuildOf(version, bug.fixed)) {
        found.add(
            Finding.problem(
                "JDK " + version + " has the bug " + bug.id + ": " + bug.what + ".",
                "Update the JDK to " + (bug.feature == 25 ? SOUND_25 : bug.fixed) + " or later."));
      }
    }
    if (found.isEmpty()) {
      found.add(
          Finding.ok("JDK " + version + ": no bug known that leaves virtual threads hanging."));
    }
    return found;
  }

  /** Whether both have the same numbers; then {@code version} differs in its build only. */
  private static boolean isBuildOf(Runtime.Version version, Runtime.Version fixed) {
    return version.version().equals(fixed.version());
  }
}
