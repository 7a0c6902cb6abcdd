package io.heddle.cli.doctor;

import io.heddle.cli.attach.AttachedProperties;
import io.heddle.cli.attach.TargetException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * The facts about a JVM.
 *
 * @param program the main class or jar, with its arguments
 * @param properties the system properties
 * @param flags the flags of the JVM
 * @param environment the environment variables; empty if they cannot be read
 */
public record Vitals(
    String program,
    Properties properties,
    List<String> flags,
    Map<String, String> environment,
    SystemLimits limits) {

  /** Asks a running JVM of the same user. */
  public static Vitals of(long pid) throws TargetException {
    AttachedProperties attached = AttachedProperties.of(pid);
    return new Vitals(
        attached.program(),
        attached.system(),
        attached.flags(),
        environmentOf(pid),
        SystemLimits.of(pid));
  }

  private static Map<String, String> environmentOf(long pid) {
    Map<String, String> variables = new HashMap<>();
    try {
      String all = Files.readString(Path.of("/proc", Long.toString(pid), "environ"));
      for (String each : all.split("\0", -1)) {
        int equals = each.indexOf('=');
        if (equals > 0) {
          variables.put(each.substring(0, equals), each.substring(equals + 1));
        }
      }
    } catch (IOException | RuntimeException e) {
      // not Linux, or another user's process
    }
    return variables;
  }

  Runtime.Version jdk() {
    try {
      return Runtime.Version.parse(properties.getProperty("java.runtime.version", "0"));
    } catch (IllegalArgumentException e) { // as in 1.8.0_412-b08
      String feature = properties.getProperty("java.specification.version", "0");
      return Runtime.Version.parse(feature.replaceFirst("^1\\.", ""));
    }
  }
}
