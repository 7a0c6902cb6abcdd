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
 * @param java the {@code java} executable
 * @param heddle the library's jar, which is also the agent
 * @param classPath the user's class path; null if there is none
 * @param adopt whether all virtual threads become goroutines
 * @param preempt the classes that get yield checks, as name prefixes separated by
 *     commas; null for none
 * @param settings Heddle's settings, by name without {@code heddle.}
 * @param jvmFlags the user's flags, which override ours
 * @param environment the environment variables, which may hold further flags of the user
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
   * The agent makes every switch of virtual threads slower. It is therefore added only if it is
   * needed: for adoption, for weaving, and for a jar that would not find the library otherwise.
   * Settings are system properties and not agent options, because a property may contain any
   * character, while the agent's options are a list separated by commas.
   */
  private static final String OPENS = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  /** An uncaught deadlock ends the program with 2 and the dump. */
  private static final String DEADLOCK = "-Dheddle.deadlock=exit";

  /** Goroutines are many and short-lived: this collector takes half the time of the default one. */
  private static final String COLLECTOR = "-XX:+UseParallelGC";

  /** More than the JVM's default of a quarter, because a million waiting goroutines take 600 MB. */
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

  /** Appends the star that the agent expects after a prefix of a class name. */
  private static String starred(String prefixes) {
    return Stream.of(prefixes.split(","))
        .map(prefix -> prefix.endsWith("*") ? prefix : prefix + "*")
        .collect(Collectors.joining(","));
  }

  /** The flags that the user has not chosen. Two collectors, for example, would be an error. */
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
