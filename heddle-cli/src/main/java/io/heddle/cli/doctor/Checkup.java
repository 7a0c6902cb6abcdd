package io.heddle.cli.doctor;

import io.heddle.internal.base.ProcessStatus;
import io.heddle.internal.base.UnknownSettings;
import io.heddle.internal.cgroup.ContainerLimits;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/** All checks of one JVM, in the order in which a reader needs the results. */
public final class Checkup {
  private static final int OLDEST_JDK = 25;
  private static final long STACK_BYTES = 1L << 20;

  private final Vitals vitals;
  private final List<Status> copies;
  private final List<Finding> findings = new ArrayList<>();

  private Checkup(Vitals vitals) {
    this.vitals = vitals;
    this.copies = Status.allIn(vitals.properties());
  }

  /** Returns the results of all checks. */
  public static List<Finding> of(Vitals vitals) {
    Checkup checkup = new Checkup(vitals);
    checkup.checkAll();
    return checkup.findings;
  }

  private void checkAll() {
    int feature = vitals.jdk().feature();
    if (feature < OLDEST_JDK) {
      findings.add(
          Finding.problem(
              "This is Java " + feature + "; Heddle needs JDK 25 or newer, and is not active.",
              "Run the program with JDK 25.0.5 or later."));
      return;
    }
    if (copies.isEmpty()) {
      findings.add(absent());
    } else {
      copies.forEach(this::checkCopy);
      checkCopies();
    }
    findings.addAll(JdkBugs.of(vitals.jdk()));
    checkAgents();
    checkSettings();
    checkLimits();
  }

  /** Heddle has not been used in this JVM. */
  private Finding absent() {
    if (hasHeddleAgent()) {
      return Finding.problem(
          "Heddle's agent is on the command line, but has not started.",
          "Read the program's standard error: the agent says there why it does nothing.");
    }
    String classPath = vitals.properties().getProperty("java.class.path", "");
    return Stream.of(classPath.split(File.pathSeparator)).anyMatch(Checkup::isHeddle)
        ? Finding.note(
            "Heddle is on the class path, and the program has not used it yet.",
            "For an unchanged program write java -jar heddle.jar app.jar, or add"
                + " -javaagent:heddle.jar=adopt.")
        : Finding.note(
            "Heddle is not in this JVM, or not used yet.",
            "For an unchanged program write java -jar heddle.jar app.jar, or add"
                + " -javaagent:heddle.jar=adopt. To look first: =watch.");
  }

  private void checkCopy(Status status) {
    String version = "Heddle " + status.get("version");
    String failure = status.get("failure");
    if (status.isOff()) {
      findings.add(
          Finding.note(
              version + " is " + status.get("mode") + ".",
              "Remove the setting to switch Heddle on."));
    } else if (!failure.isEmpty()) {
      findings.add(
          Finding.problem(
              version + " cannot run goroutines: " + failure + ".",
              "Start Java as that sentence says."));
    } else {
      findings.add(Finding.ok(version + " is on: " + describe(status) + "."));
      checkUse(status);
      checkMount(status);
      checkFeatures(status);
    }
  }

  private static String describe(Status status) {
    String mode = status.get("mode").isEmpty() ? "no scheduler yet" : status.get("mode");
    String procs = status.procs() == null ? "" : ", procs=" + status.procs();
    return mode + procs;
  }

  private void checkUse(Status status) {
    boolean watches = status.get("mode").startsWith("watch");
    if (!watches && !status.adopts() && status.procs() == null) {
      findings.add(
          Finding.note(
              "No threads are adopted, and the program has made no scheduler: nothing runs on"
                  + " Heddle.",
              "Write -javaagent:heddle.jar=adopt, or let the program use Heddle's executor."));
    }
    String filter = status.get(ProcessStatus.FILTER);
    if (status.adopts() && !filter.isEmpty() && !filter.equals("matched")) {
      findings.add(
          Finding.note(
              "Heddle " + adopts(status) + ", and has met none so far. There were: " + filter + ".",
              "Correct the names, unless such threads come later: heddle.adopt takes names of"
                  + " threads, or of the classes that make them, with * at the end."));
    }
    String parallelism = "jdk.virtualThreadScheduler.parallelism";
    if (status.adopts() && vitals.properties().getProperty(parallelism) != null) {
      findings.add(
          Finding.note(
              parallelism + " is set, and has no effect on adopted threads.",
              "Set heddle.procs instead."));
    }
  }

  /** What the agent adopts, as in {@code adopts tomcat-*}. */
  private static String adopts(Status status) {
    return status.get("mode").replaceFirst("^(agent|launcher), ", "");
  }

  private void checkMount(Status status) {
    String mount = status.get("mount");
    String asked = setting("heddle.mount");
    if (mount.startsWith("jdk") && !asked.isEmpty()) {
      findings.add(
          Finding.note(
              "Goroutines are mounted by the JDK's code, because heddle.mount is " + asked + ".",
              "Without that setting a switch takes about 30 ns less."));
    } else if (!mount.isEmpty()) {
      findings.add(Finding.ok("Goroutines are mounted by: " + mount + "."));
    }
  }

  private void checkFeatures(Status status) {
    List<String> on = status.featuresOn();
    if (!on.isEmpty()) {
      findings.add(Finding.ok("On: " + String.join(", ", on) + "."));
    }
    status
        .featuresOff()
        .forEach(
            (feature, reason) ->
                findings.add(
                    Finding.problem(
                        "Off: " + feature + ": " + reason + ".",
                        "The rest works. Use a JDK that Heddle knows, or a newer Heddle.")));
  }

  private void checkCopies() {
    if (copies.size() > 1) {
      List<String> places =
          copies.stream().map(copy -> copy.get("from") + " in " + copy.get("loader")).toList();
      findings.add(
          Finding.problem(
              copies.size()
                  + " copies of Heddle are in this JVM, each with a shared scheduler of its own: "
                  + String.join("; ", places)
                  + ".",
              "Leave heddle.jar out of the application, and on the class path of the server."));
    }
  }

  private void checkAgents() {
    List<String> others =
        vitals.flags().stream()
            .filter(flag -> flag.matches("-(javaagent|agentlib|agentpath):.*"))
            .filter(flag -> !isHeddle(agentFile(flag)))
            .toList();
    for (String other : others) {
      findings.add(agent(other));
    }
    if (vitals.flags().contains("-XX:-DoJVMTIVirtualThreadTransitions")) {
      findings.add(
          Finding.note(
              "DoJVMTIVirtualThreadTransitions is off: switches are faster, but deadlocks of"
                  + " synchronized are not found, and a thread dump can hang.",
              "Remove the flag to debug."));
    }
  }

  private static Finding agent(String flag) {
    String name = new File(agentFile(flag)).getName();
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.contains("opentelemetry")) {
      return Finding.note(
          "Another agent: "
              + name
              + ". It carries a span through an executor, and not through Go.go.",
          "Put heddle-opentelemetry on the class path: spans then follow goroutines.");
    }
    String cost = ". Like any agent it makes a switch of virtual threads slower";
    if (lower.startsWith("dd-") || lower.contains("datadog")) {
      return Finding.note(
          "Another agent: " + name + cost + ". Tried together: version 1.68.0.",
          "If threads misbehave, try -Dheddle.mount=jdk.");
    }
    return Finding.note(
        "Another agent: " + name + cost + ".",
        "If it changes java.lang.VirtualThread, set heddle.mount=jdk.");
  }

  private void checkSettings() {
    Properties properties = vitals.properties();
    for (String warning :
        UnknownSettings.warnings(properties.stringPropertyNames(), vitals.environment().keySet())) {
      findings.add(
          Finding.problem(
              warning.replaceFirst("^heddle: there", "There") + ".", "Correct the name."));
    }
  }

  private void checkLimits() {
    SystemLimits limits = vitals.limits();
    limits.milliCpus().ifPresent(this::checkCpus);
    limits.maxThreads().ifPresent(most -> checkThreads(limits, most));
    limits
        .memory()
        .ifPresent(
            bytes -> {
              long all = maxThreads() * STACK_BYTES;
              if (isRunning() && all > bytes) {
                findings.add(
                    Finding.note(
                        "Heddle may start %,d threads, whose stacks of up to 1 MB are more than the %,d MB of the container."
                            .formatted(maxThreads(), bytes >> 20),
                        "If goroutines block in native calls, set heddle.maxthreads=%d."
                            .formatted(Math.max(16, bytes / STACK_BYTES / 4))));
              }
            });
  }

  private void checkCpus(long milliCpus) {
    long whole = Math.max(1, Math.ceilDiv(milliCpus, 1_000));
    for (Status status : copies) {
      Integer procs = status.procs();
      if (procs != null && procs > whole) {
        findings.add(
            Finding.problem(
                "procs is %d, and the container may use %.1f CPUs: it will be throttled."
                    .formatted(procs, milliCpus / 1_000.0),
                "Set heddle.procs=" + whole + ", or leave it out: the default follows the limit."));
      }
    }
    vitals
        .limits()
        .throttled()
        .ifPresent(
            times -> {
              if (times > 0) {
                findings.add(
                    Finding.note(
                        "The container was stopped %,d times because it had used up its CPU time."
                            .formatted(times),
                        "Every thread stands still then. Give it more CPU, or fewer Ps."));
              }
            });
  }

  private void checkThreads(SystemLimits limits, long most) {
    long now = limits.threads().orElse(0);
    if (now * 10 > most * 8) {
      findings.add(
          Finding.problem(
              "The process has %,d threads of at most %,d.".formatted(now, most),
              "Find out which block: heddle dump PID. Or raise the limit of the user or"
                  + " container."));
    } else if (isRunning() && most < maxThreads()) {
      findings.add(
          Finding.note(
              "The system allows %,d threads, and Heddle's own limit is %,d."
                  .formatted(most, maxThreads()),
              "Set heddle.maxthreads=%d, so that Heddle stops first.".formatted(most * 8 / 10)));
    }
  }

  private boolean isRunning() {
    return copies.stream().anyMatch(copy -> copy.procs() != null && !copy.isOff());
  }

  private long maxThreads() {
    String set = setting("heddle.maxthreads");
    return set.matches("[0-9]{1,9}") ? Long.parseLong(set) : defaultMaxThreads();
  }

  /** The default without Heddle's setting; it follows the memory unless that is switched off. */
  private long defaultMaxThreads() {
    return setting("heddle.container").strip().equalsIgnoreCase("off")
        ? ContainerLimits.MAX_THREADS
        : vitals.limits().defaultThreads(STACK_BYTES);
  }

  private String setting(String property) {
    String variable = property.replace('.', '_').toUpperCase(Locale.ROOT);
    Map<String, String> environment = vitals.environment();
    return vitals.properties().getProperty(property, environment.getOrDefault(variable, ""));
  }

  private boolean hasHeddleAgent() {
    return vitals.flags().stream()
        .anyMatch(flag -> flag.startsWith("-javaagent:") && isHeddle(agentFile(flag)));
  }

  /** The file or library that an agent's flag names. */
  private static String agentFile(String flag) {
    String rest = flag.substring(flag.indexOf(':') + 1);
    int options = rest.indexOf('=');
    return options < 0 ? rest : rest.substring(0, options);
  }

  private static boolean isHeddle(String path) {
    return new File(path).getName().matches("heddle(-[0-9].*|-cli.*)?\\.jar");
  }
}
