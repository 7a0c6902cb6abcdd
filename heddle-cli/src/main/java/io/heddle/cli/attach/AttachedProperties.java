package io.heddle.cli.attach;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The properties that a JVM tells a tool that attaches to it. The JVM loads nothing for the answer.
 *
 * @param program the main class or jar, with its arguments
 * @param flags the flags of the JVM
 * @param system the system properties with text values
 */
public record AttachedProperties(String program, List<String> flags, Properties system) {

  /** Asks a JVM of the same user. */
  public static AttachedProperties of(long pid) throws TargetException {
    JavaProcesses.requireJvm(pid);
    try {
      VirtualMachine vm = VirtualMachine.attach(Long.toString(pid));
      try {
        Properties agent = vm.getAgentProperties();
        // A flag may contain spaces; the next one begins with a dash.
        List<String> flags =
            Stream.of(agent.getProperty("sun.jvm.args", "").strip().split("\\s+(?=-)"))
                .filter(flag -> !flag.isEmpty())
                .toList();
        return new AttachedProperties(
            JavaProcesses.withoutLauncher(agent.getProperty("sun.java.command", "")),
            flags,
            vm.getSystemProperties());
      } finally {
        vm.detach();
      }
    } catch (IOException | AttachNotSupportedException e) {
      throw TargetException.doesNotAnswer(pid, e);
    }
  }
}
