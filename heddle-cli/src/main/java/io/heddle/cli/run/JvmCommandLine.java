package io.heddle.cli.run;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The command line of a JVM that runs a program with Heddle.
 *
 * @param java the {@code java} to be used
 * @param heddle the library, which is the agent, too
 * @param classPath the user's; null if there is none
 * @param adopt whether all virtual threads become goroutines
 * @param preempt whose loops yield, as prefixes of classes with commas between them; null for nobody's
 * @param settings of Heddle, by their names without {@code heddle.}
 * @param jvmFlags the user's, which win over ours
 * @param environment what else may hold flags of the user's
 */
public record JvmCommandLine(
    Path java,
    Path heddle,
    Program program,
    List<String> arguments,
    @Nullable String classPath,
    boolean adopt,
    @Nullable String preempt,
    Map<String, String> settings,
    List<String> jvmFlags,
    Map<String, String> environment) {
  /*
   * The agent makes every switch of virtual threads slower, so it is there only for what needs it: adoption, weaving, and
   * a jar that would otherwise not find the library. Settings are system properties, which stand for themselves whatever
   * characters are in them; the agent's options are a list with commas.
   */
  private static final String OPENS = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  /** An uncaught deadlock ends the program with 2 and the dump. */
  private static final String DEADLOCK = "-Dheddle.deadlock=exit";

  /** Goroutines die young and in millions: this one sweeps them up in half the time that the default takes. */
  private static final String COLLECTOR = "-XX:+UseParallelGC";

  /** More than the JVM's quarter: a million goroutines that wait take 600 MB. */
  private static final String HEAP = "-XX:MaxRAMPercentage=60";

  private static final List<String> VARIABLES = List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS");

  public List<String> command() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.addAll(defaults());
    command.add(DEADLOCK);
    settings.forEach((name, value) -> command.add("-Dheddle." + name + "=" + value));
    command.add(needsAgent() ? "-javaagent:" + heddle + agentOptions() : OPENS);
    if (!program.hasOwnClassPath()) {
      command.add("-cp");
      command.add(classPath == null ? heddle.toString() : classPath + File.pathSeparator + heddle);
    }
    command.addAll(jvmFlags);
    command.addAll(program.asArguments());
    command.addAll(arguments);
    return command;
  }

  private boolean needsAgent() throws IOException {
    return adopt || preempt != null || (program instanceof Program.Jar jar && !jar.hasHeddle());
  }

  private String agentOptions() {
    Map<String, String> options = new LinkedHashMap<>();
    if (adopt) {
      options.put("adopt", "");
    }
    if (preempt != null) {
      options.put("preempt", "=" + starred(preempt));
    }
    String text =
        options.entrySet().stream()
            .map(option -> option.getKey() + option.getValue())
            .collect(Collectors.joining(","));
    return text.isEmpty() ? "" : "=" + text;
  }

  /** The agent wants a star behind what is only the beginning of a name. */
  private static String starred(String prefixes) {
    return Stream.of(prefixes.split(","))
        .map(prefix -> prefix.endsWith("*") ? prefix : prefix + "*")
        .collect(Collectors.joining(","));
  }

  /** What the user has not chosen himself: two collectors, for instance, are an error. */
  private List<String> defaults() {
    List<String> ours = new ArrayList<>();
    if (usersFlags().noneMatch(flag -> flag.matches("-XX:[+]Use\\w+GC"))) {
      ours.add(COLLECTOR);
    }
    if (usersFlags().noneMatch(flag -> flag.matches("-Xmx.*|-XX:Max(RAMPercentage|HeapSize)=.*"))) {
      ours.add(HEAP);
    }
    return ours;
  }

  private Stream<String> usersFlags() {
    Stream<String> fromVariables =
        VARIABLES.stream()
            .map(environment::get)
            .filter(Objects::nonNull)
            .flatMap(text -> Stream.of(text.split("\\s+")));
    return Stream.concat(jvmFlags.stream(), fromVariables);
  }
}
