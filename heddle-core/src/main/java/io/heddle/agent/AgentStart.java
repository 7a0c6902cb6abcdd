package io.heddle.agent;

import io.heddle.internal.base.InvalidSettingException;
import io.heddle.internal.base.LibraryCopies;
import io.heddle.internal.base.MasterSwitch;
import io.heddle.internal.base.ProcessStatus;
import io.heddle.internal.base.StartLine;
import io.heddle.internal.base.UnknownSettings;
import io.heddle.internal.jdk.ClassChanges;
import io.heddle.internal.jdk.JdkFeature;
import io.heddle.internal.jdk.JdkRelease;
import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.jdk.OffNotices;
import io.heddle.internal.jdk.VirtualThreads;
import java.lang.instrument.Instrumentation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the agent, or the launcher, does before the program starts, on a JDK that Heddle supports.
 *
 * <ul>
 *   <li>It opens {@code java.lang} to Heddle, and to copies of the library that other class loaders
 *       load. So no other flag is needed.
 *   <li>The scheduler itself wakes goroutines that wait for sockets or for time. If the manifest of
 *       the agent lacks {@code Can-Retransform-Classes: true}, threads of the JDK wake them.
 *   <li>With {@code =adopt} the virtual threads of the program become goroutines of the shared
 *       scheduler, or of schedulers that the option names; {@code =limit} says how many at a time.
 *   <li>With {@code =preempt} the loops of the program yield at the end of a time slice.
 * </ul>
 *
 * <p>With {@code =watch} it only opens {@code java.lang} and observes the JDK's own scheduler. With
 * {@code HEDDLE=off} it does nothing at all. In each case one line on standard error says what it
 * does.
 *
 * <p>A feature that does not fit this JDK is reported on standard error and stays off. The other
 * features are turned on. After an invalid option only {@code java.lang} is open, and the program
 * runs without the other features. The system properties that the agent's options have set then get
 * their old values back, because a program that uses the library itself would read them.
 */
public final class AgentStart {
  private final String mode;
  private final ClassChanges changes;

  /** Null in a JVM without an agent. */
  private final @Nullable Instrumentation instrumentation;

  private AgentStart(String mode, ClassChanges changes, @Nullable Instrumentation instrumentation) {
    this.mode = mode;
    this.changes = changes;
    this.instrumentation = instrumentation;
  }

  /** Turns on one feature. */
  interface Start {
    void run() throws ReflectiveOperationException;
  }

  /**
   * Called by {@code Agent}, the entry class, through reflection. {@code text} has the options of
   * the agent; null if there are none.
   */
  public static void start(@Nullable String text, Instrumentation instrumentation) {
    if (MasterSwitch.isOff()) {
      StartLine.printOff();
      return;
    }
    openJavaLang(instrumentation, AgentStart.class.getModule());
    CopyOpener.begin(instrumentation);
    new AgentStart("agent", ClassChanges.byAgent(instrumentation), instrumentation).start(text);
  }

  /**
   * Called by {@link Launcher} before the program starts, in a JVM without an agent. Does what the
   * agent does with these options. If {@code text} is null, and neither {@code heddle.adopt} nor
   * {@code heddle.watch} is set, all threads are adopted.
   */
  static void startWithoutAgent(@Nullable String text) {
    if (MasterSwitch.isOff()) {
      StartLine.printOff();
      return;
    }
    String options = text == null && !Adoption.isSet() && !WatchSettings.isSet() ? "adopt" : text;
    new AgentStart("launcher", ClassChanges.beforeLoading(), null).start(options);
  }

  private void start(@Nullable String text) {
    LibraryCopies.warnOnce();
    UnknownSettings.warnOnce();
    JdkRelease.warnIfUnknown();
    Map<String, @Nullable String> before = new HashMap<>();
    try {
      MasterSwitch.ensureValid();
      Options options = Options.parse(text);
      options
          .settings()
          .forEach((name, value) -> before.put(name, System.setProperty(name, value)));
      WatchSettings watch =
          options.adopt() == null && options.preempt() == null
              ? WatchSettings.read(options.watch())
              : null;
      if (watch != null) {
        watch(watch);
        return;
      }
      Filter threads = options.adopt() == null ? Adoption.asked() : options.adopt();
      Filter classes = options.preempt() == null ? Weaving.asked() : options.preempt();
      if (classes != null && instrumentation == null) {
        throw new InvalidSettingException(
            "preempt needs the agent: allowed is -javaagent:heddle.jar=preempt");
      }
      List<ThreadLimit> limits =
          options.limits().isEmpty() ? Adoption.askedLimits() : options.limits();
      if (threads == null && !limits.isEmpty()) {
        throw new InvalidSettingException(
            "limit is for adopted threads, and none are adopted: allowed is limit with adopt");
      }
      if (start(threads, limits, classes)) {
        StartLine.printOnce(mode, describe(threads, classes), true);
      }
    } catch (InvalidSettingException e) { // also thrown for an invalid option of the agent
      before.forEach(AgentStart::restore);
      System.err.println("heddle: " + e.getMessage() + "; the program runs without it");
    }
  }

  private static void watch(WatchSettings settings) {
    if (start(JdkFeature.WATCH, () -> Watching.begin(settings.interval(), settings.page()))) {
      StartLine.printOnce("watch", "observes the JDK's scheduler and changes nothing", true);
    }
  }

  private static String describe(@Nullable Filter adopted, @Nullable Filter woven) {
    String adopts = adopted == null ? "adopts no threads" : "adopts " + adopted.describe("threads");
    return woven == null ? adopts : adopts + ", weaves " + woven.describe("classes");
  }

  /**
   * Turns the features on. A feature that does not fit this JDK stays off, and has no effect on the
   * others. Returns false, after a message, if Heddle cannot run in this JVM.
   *
   * @param threads the threads to adopt; null for none
   * @param limits the limits on adopted threads
   * @param classes the classes to weave; null for none
   */
  private boolean start(
      @Nullable Filter threads, List<ThreadLimit> limits, @Nullable Filter classes) {
    Mounter.chooseLate();
    boolean changesJdk =
        instrumentation == null // otherwise only if the manifest asks for it
            || instrumentation.isRetransformClassesSupported();
    // The patches come before VirtualThreads is initialized, because that loads ThreadBuilders.
    boolean adopts = threads != null && start(JdkFeature.ADOPTION, () -> Adoption.prepare(changes));
    if (changesJdk) {
      start(JdkFeature.TIMED_PARKS, () -> TimedParkHook.begin(changes));
    }
    String failure = VirtualThreads.failure();
    if (failure != null) {
      System.err.println("heddle: " + failure + "; the program runs without it");
      return false;
    }
    StartLine.publish(mode, describe(threads, classes));
    if (changesJdk) {
      start(JdkFeature.SOCKETS, () -> SocketWaits.begin(changes));
    }
    if (instrumentation != null && changesJdk) {
      BubbleInstrumentation.offer(instrumentation);
    }
    if (threads != null && adopts) {
      start(JdkFeature.ADOPTION, () -> Adoption.begin(threads, limits));
    }
    if (classes != null && instrumentation != null) {
      start(JdkFeature.WEAVING, () -> Weaving.begin(instrumentation, classes));
    }
    return true;
  }

  /**
   * Turns on one feature. Returns false, after a message, if that failed.
   *
   * @throws InvalidSettingException if the feature needs a setting that is invalid
   */
  static boolean start(JdkFeature feature, Start start) {
    if (!JdkRelease.current().has(feature)) {
      return false; // JdkRelease.warnIfUnknown has reported that
    }
    try {
      start.run();
      ProcessStatus.featureOn(feature.title());
      return true;
    } catch (InvalidSettingException e) {
      throw e;
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      String message = e.getMessage();
      Object cause = message == null ? e : message;
      OffNotices.publish(feature, cause);
      System.err.println(feature.offBecause(cause));
      return false;
    }
  }

  /** Gives a system property its old value back; {@code value} is null if it was not set. */
  private static void restore(String property, @Nullable String value) {
    if (value == null) {
      System.clearProperty(property);
    } else {
      System.setProperty(property, value);
    }
  }

  /** Does what {@code --add-opens java.base/java.lang=…} does, for {@code module}. */
  static void openJavaLang(Instrumentation instrumentation, Module module) {
    try {
      instrumentation.redefineModule(
          Object.class.getModule(),
          Set.of(),
          Map.of(),
          Map.of("java.lang", Set.of(module)),
          Set.of(),
          Map.of());
    } catch (RuntimeException e) {
      System.err.println("heddle: the agent cannot open java.lang: " + e);
    }
  }
}
