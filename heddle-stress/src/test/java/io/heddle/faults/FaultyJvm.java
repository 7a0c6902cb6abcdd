package io.heddle.faults;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** The JVMs that faults are tried on. */
final class FaultyJvm {
  private FaultyJvm() {}

  /** With this module's programs and the library; its output goes to {@code dir}. */
  static ChildJvm in(Path dir) {
    return ChildJvm.bare()
        .flags("-ea", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED")
        .flags("-cp", classPath(ChildJvm.classes()))
        .within(Duration.ofSeconds(100))
        .outputTo(dir);
  }

  /** This module's programs, and {@code library}. */
  static String classPath(Path library) {
    return ChildJvm.placeOf(FaultyJvm.class) + File.pathSeparator + library;
  }

  /** A jar that says only which class of the class path is an agent. */
  static Path agentJar(Path dir, Class<?> agent) throws IOException {
    return HeddleJar.agent(agent.getName()).pack(dir.resolve("agent.jar"));
  }
}
