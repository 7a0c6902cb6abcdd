package io.heddle;

import io.heddle.internal.cgroup.Container;
import io.heddle.internal.cgroup.ContainerLimits;
import io.heddle.internal.inspect.ContainerFollower;
import io.heddle.internal.jdk.JvmFlags;
import io.heddle.internal.sched.Sched;

/** The defaults that depend on the container, and the schedulers that follow it. */
final class ContainerSettings {
  private ContainerSettings() {}

  /** Returns the default for the number of Ps. */
  static int cpus() {
    int ofJvm = Runtime.getRuntime().availableProcessors();
    return followsCpus() ? Container.limits().cpus(ofJvm) : ofJvm;
  }

  /** Returns the default for the largest number of OS threads. */
  static int threads() {
    return Settings.followsContainer()
        ? Container.limits().threads(JvmFlags.stackBytes(JvmFlags.given()))
        : ContainerLimits.MAX_THREADS;
  }

  /**
   * Lets a scheduler whose builder does not set the number of Ps follow the container, unless a
   * setting says otherwise.
   *
   * @param threads whether the builder does not set the limit on threads either
   */
  static void follow(Sched sched, boolean threads) {
    if (!Settings.isSet(Settings.PROCS.property()) && followsCpus()) {
      ContainerFollower.follow(
          sched,
          threads && !Settings.isSet(Settings.MAX_THREADS.property()),
          Container::limits,
          JvmFlags.stackBytes(JvmFlags.given()));
    }
  }

  /** Whether the user has not switched it off here or in the JVM. */
  private static boolean followsCpus() {
    return Settings.followsContainer() && !JvmFlags.fixCpus(JvmFlags.given());
  }
}
