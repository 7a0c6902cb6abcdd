package io.heddle.internal.jdk;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * The table of the JDK releases whose internals Heddle knows: which features work on a release, and
 * where the releases differ.
 *
 * <p>On {@link #UNKNOWN}, which stands for every other release, Heddle uses only the internals that
 * goroutines cannot do without. No class of the JDK is changed, and no state of a thread is
 * written.
 */
public enum JdkRelease {
  //             snapshots            joins         stopping a socket wait
  JDK_25(25, Snapshots.OF_SUSPENDED, Joins.LATCH, SocketStops.BY_DESCRIPTOR, all()),
  JDK_26(26, Snapshots.OF_ANY, Joins.LATCH, SocketStops.BY_DESCRIPTOR, all()),
  JDK_27(27, Snapshots.OF_ANY, Joins.MONITOR, SocketStops.BY_THREAD, all()),
  JDK_28(28, Snapshots.OF_ANY, Joins.MONITOR, SocketStops.BY_THREAD, all()),
  UNKNOWN(0, Snapshots.NONE, Joins.UNKNOWN, SocketStops.UNKNOWN, Set.of());

  /** How the VM can read the stack and monitors of an unmounted virtual thread. */
  enum Snapshots {
    /**
     * The thread must be suspended by its state word first. Otherwise the VM crashes if the thread
     * mounts or unmounts meanwhile (JDK-8364343).
     */
    OF_SUSPENDED,
    /** The VM itself keeps the thread from mounting and unmounting while it reads. */
    OF_ANY,
    NONE
  }

  /** What a thread that joins a virtual thread waits at. */
  enum Joins {
    /** A latch in the field {@code termination} of the joined thread. */
    LATCH,
    /** The monitor of the joined thread (JDK-8378268). */
    MONITOR,
    UNKNOWN
  }

  /** How the JDK ends a wait for a socket that is closed or shut down. */
  enum SocketStops {
    /** By {@code Poller.stopPoll} with the number of the descriptor. */
    BY_DESCRIPTOR,
    /** By an unpark of the thread that waits (JDK-8374170). */
    BY_THREAD,
    UNKNOWN
  }

  /** The system property with which tests pretend another release. */
  private static final String PRETENDED = "heddle.pretend.jdk";

  private static final JdkRelease CURRENT = of(number());
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private final int feature;
  private final Snapshots snapshots;
  private final Joins joins;
  private final SocketStops socketStops;

  @SuppressWarnings("ImmutableEnumChecker") // never changed
  private final Set<JdkFeature> features;

  JdkRelease(
      int feature,
      Snapshots snapshots,
      Joins joins,
      SocketStops socketStops,
      Set<JdkFeature> features) {
    this.feature = feature;
    this.snapshots = snapshots;
    this.joins = joins;
    this.socketStops = socketStops;
    this.features = features;
  }

  /** The release that this process runs on. */
  public static JdkRelease current() {
    return CURRENT;
  }

  /**
   * Returns the release with this number, as in {@code Runtime.version().feature()}; {@link
   * #UNKNOWN} if it is not in the table.
   */
  static JdkRelease of(int feature) {
    for (JdkRelease release : values()) { // no stream: this runs at each start
      if (release != UNKNOWN && release.feature == feature) {
        return release;
      }
    }
    return UNKNOWN;
  }

  public boolean isKnown() {
    return this != UNKNOWN;
  }

  /** Whether {@code feature} works on this release. */
  public boolean has(JdkFeature feature) {
    return features.contains(feature);
  }

  /**
   * Checks that {@code feature} works on this release.
   *
   * @throws IllegalStateException if it does not; the message names the releases on which it does
   */
  public void require(JdkFeature feature) {
    if (!has(feature)) {
      throw new IllegalStateException(
          feature.title() + " needs JDK " + known() + ", and this is JDK " + number());
    }
  }

  Snapshots snapshots() {
    return snapshots;
  }

  Joins joins() {
    return joins;
  }

  SocketStops socketStops() {
    return socketStops;
  }

  /** Returns the numbers of the releases in this table, for messages. */
  static String known() {
    String all =
        Arrays.stream(values())
            .filter(JdkRelease::isKnown)
            .map(release -> Integer.toString(release.feature))
            .collect(Collectors.joining(", "));
    int last = all.lastIndexOf(", ");
    return all.substring(0, last) + " or " + all.substring(last + 2);
  }

  /** Prints one line, at the first call on an unknown release, that lists what is off. */
  public static void warnIfUnknown() {
    if (!CURRENT.isKnown() && WARNED.compareAndSet(false, true)) {
      Arrays.stream(JdkFeature.values())
          .filter(feature -> !CURRENT.has(feature))
          .forEach(feature -> OffNotices.publish(feature, "not known to work on this JDK"));
      System.err.println(
          "heddle: this version of Heddle is made for JDK "
              + known()
              + ", and this is JDK "
              + number()
              + "; goroutines run, and these features are off: "
              + Arrays.stream(JdkFeature.values())
                  .filter(feature -> !CURRENT.has(feature))
                  .map(JdkFeature::title)
                  .collect(Collectors.joining(", ")));
    }
  }

  /** The number of the release of this process, or the number that a test pretends. */
  static int number() {
    return Integer.getInteger(PRETENDED, Runtime.version().feature());
  }

  private static Set<JdkFeature> all() {
    return EnumSet.allOf(JdkFeature.class);
  }
}
