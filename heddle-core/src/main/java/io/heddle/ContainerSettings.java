package io.heddle;

import io.heddle.internal.cgroup.Container;
import io.heddle.internal.cgroup.ContainerLimits;
import io.heddle.internal.inspect.ContainerFollower;
import io.heddle.internal.jdk.JvmFlags;
import io.heddle.internal.sched.Sched;

/** Computes the defaults that depend on the container, and lets schedulers follow its limits. */
final class ContainerSettings {
  private ContainerSettings() {}

  /**
   * Returns the default for the number of Ps: the number of CPUs that the JVM reports. If the
   * container allows fewer CPUs, and {@link #followsCpus} is true, returns their number.
   */
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
   * Lets a scheduler follow the limits of the container while the program runs. The caller has
   * checked that the builder does not set the number of Ps. Does nothing if {@code heddle.procs} is
   * set, or if {@link #followsCpus} is false.
   *
   * @param threads whether the limit on OS threads may follow the container, too: true if the
   *     builder does not set that limit. If {@code heddle.maxthreads} is set, the limit stays fixed
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

  /**
   * Whether the number of Ps follows the container. It does not if the setting {@code
   * heddle.container} is {@code off}, or if a JVM flag sets the number of CPUs or turns container
   * support off.
   */
  private static boolean followsCpus() {
    return Settings.followsContainer() && !JvmFlags.fixCpus(JvmFlags.given());
  }
}
