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
   * needed: for weaving, for a source file whose name Heddle's launcher does not know as such, and,
   * without adoption, for a jar that would not find the library otherwise. Heddle's launcher adopts
   * threads without an agent.
   * Settings are system properties and not agent options, because a property may contain any
   * character, while the agent's options are a list separated by commas.
   */
  private static final String LAUNCHER = "io.heddle.Launch";

  private static final String OPENS = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  /** An uncaught deadlock ends the program with 2 and the dump. */
  private static final String DEADLOCK = "-Dheddle.deadlock=exit";

  /** A program that is started for a try prints only what it prints itself. */
  private static final String NO_BANNER = "-Dheddle.banner=false";

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
    command.add(NO_BANNER);
    settings.forEach((name, value) -> command.add("-Dheddle." + name + "=" + value));
    if (needsAgent()) {
      command.add("-javaagent:" + heddle + agentOptions());
    } else if (!program.hasOwnClassPath() || !adopt) { // else the manifest of Heddle's jar does it
      command.add(OPENS);
    }
    if (!program.hasOwnClassPath()) {
      command.add("-cp");
      command.add(classPath == null ? heddle.toString() : classPath + File.pathSeparator + heddle);
    }
    command.addAll(jvmFlags);
    command.addAll(adopt && !needsAgent() ? launched() : program.asArguments());
    command.addAll(arguments);
    return command;
  }

  /** The program, started by Heddle's launcher. */
  private List<String> launched() {
    return switch (program) {
      case Program.Jar jar -> List.of("-jar", heddle.toString(), jar.file().toString());
      case Program.Source source -> List.of(LAUNCHER, source.file().toString());
      case Program.MainClass main -> List.of(LAUNCHER, main.name());
    };
  }

  private boolean needsAgent() throws IOException {
    if (adopt) {
      return preempt != null || (program instanceof Program.Source source && !source.isNamedJava());
    }
    return preempt != null || (program instanceof Program.Jar jar && !jar.hasHeddle());
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
