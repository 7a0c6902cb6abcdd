package io.heddle.internal.jdk;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import jdk.internal.misc.VM;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether {@code java.lang.HeddleMount} may stand in for the JDK's mount and unmount: only
 * if the code that it stands in for is known, and no other agent has changed that code.
 */
final class OwnMountCheck {
  /*
   * The checks, in this order:
   *
   * 1. The code of this JDK. The class files come from the runtime image. If their checksum is
   *    that of a known build, they are known. Otherwise their fingerprint is computed, because
   *    another build may have the same code. That takes about 40 ms of CPU time.
   * 2. The code of this process. The JVM counts how often a class was redefined. If agents other
   *    than Heddle's have redefined one of the classes, the code may differ from the runtime image.
   *    Heddle cannot read the present code, because an agent sees only the changes of the agents
   *    before it. No agent can redefine Continuation and its subclasses.
   * 3. A native agent may change a class while it is loaded, which the JVM does not count. Only
   *    native agents that are known not to do that are accepted, unless the user asks for the own
   *    mount with heddle.mount=own.
   *
   * Limits. A change is not noticed if it is made after MounterChoice has made its choice. Nor is a
   * change that a native agent makes while a class is loaded, if the agent is not on the command
   * line.
   */

  /** Parts of the library names of those native agents that do not change classes of the JDK. */
  private static final List<String> HARMLESS = List.of("jdwp", "asyncprofiler");

  private OwnMountCheck() {}

  /**
   * Returns a text for the user that says why the own mount must not be used; null if it may be
   * used.
   *
   * @param asked whether the user asks for the own mount with {@code heddle.mount=own}
   */
  static @Nullable String reasonAgainst(boolean asked) {
    JdkRelease release = JdkRelease.current();
    if (!release.has(JdkFeature.OWN_MOUNT)) {
      return "it is made for JDK " + JdkRelease.known() + ", and this is " + Runtime.version();
    }
    try {
      if (!isKnown(MountedClasses.read())) {
        return "the code of VirtualThread and Continuation in this JDK ("
            + Runtime.version()
            + ") is not one that this version of Heddle knows";
      }
      String reason = transformedClass();
      return reason != null || asked ? reason : suspectNativeAgent();
    } catch (ReflectiveOperationException | IOException e) {
      return "the code of VirtualThread and Continuation cannot be read: " + e;
    }
  }

  private static boolean isKnown(List<byte[]> classFiles) {
    return KnownMountCode.hasChecksum(MountedClasses.checksum(classFiles))
        || KnownMountCode.hasFingerprint(
            Runtime.version().feature(), MountedCode.fingerprint(classFiles));
  }

  private static @Nullable String transformedClass() throws ReflectiveOperationException {
    for (String name : MountedClasses.NAMES) {
      Class<?> type = Class.forName(name.replace('/', '.'), false, null);
      if (Redefinitions.isByOthers(type)) {
        return "another agent has transformed " + type.getName();
      }
    }
    return null;
  }

  private static @Nullable String suspectNativeAgent() {
    String[] arguments = VM.getRuntimeArguments(); // null if the JVM was started without any
    for (String argument : arguments == null ? new String[0] : arguments) {
      if (isSuspect(argument)) {
        return "a native agent may have changed VirtualThread (" + argument + ")";
      }
    }
    return null;
  }

  private static boolean isSuspect(String argument) {
    if (!argument.startsWith("-agentlib:") && !argument.startsWith("-agentpath:")) {
      return false;
    }
    String library = argument.replace("_", "").replace("-", "").toLowerCase(Locale.ROOT);
    int options = library.indexOf('=');
    String name = options < 0 ? library : library.substring(0, options);
    return HARMLESS.stream().noneMatch(name::contains);
  }
}
