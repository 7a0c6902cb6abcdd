package io.heddle.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code heddle run} that become settings of the program's scheduler. */
final class SchedulerOptions {
  @Option(
      names = "--procs",
      paramLabel = "N",
      converter = Procs.class,
      description = "How many goroutines run at the same time: 1 to 1024, else one for each CPU.")
  private @Nullable Integer procs;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Write a trace of all that the scheduler does, for 'heddle trace FILE'.")
  private @Nullable Path trace;

  @Option(
      names = "--schedtrace",
      paramLabel = "MS",
      converter = Millis.class,
      description = "A line about the scheduler on standard error every so many milliseconds.")
  private @Nullable Integer schedTrace;

  @Option(
      names = "--dashboard",
      paramLabel = "PORT",
      arity = "0..1",
      fallbackValue = "0",
      parameterConsumer = OptionalPort.class,
      description = "A live page about the scheduler on this port, else on a free one.")
  private @Nullable Integer dashboard;

  @Option(
      names = "--linger",
      description =
          "When the program has ended, leave the page of --dashboard, and what goroutines there"
              + " are, until Ctrl-C is pressed.")
  private boolean linger;

  /**
   * Says why the trace cannot be written; null if it can, or if no trace is requested. The command
   * checks this before it starts the program.
   */
  @Nullable String traceProblem() {
    return trace == null ? null : OutputFile.problem(trace);
  }

  /** Whether {@code --linger} is given without the dashboard that it keeps. */
  boolean lingersWithoutDashboard() {
    return linger && dashboard == null;
  }

  /** The settings that were given, by name without {@code heddle.}. */
  Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    put(settings, "procs", procs);
    put(settings, "trace", trace);
    put(settings, "schedtrace", schedTrace);
    put(settings, "dashboard", dashboard);
    put(settings, "dashboard.linger", linger ? linger : null);
    return settings;
  }

  private static void put(Map<String, String> settings, String name, @Nullable Object value) {
    if (value != null) {
      settings.put(name, value.toString());
    }
  }

  /** At most a day. */
  private static final class Millis extends WholeNumber {
    Millis() {
      super(1, 86_400_000);
    }
  }

  private static final class Port extends WholeNumber {
    Port() {
      super(0, 65_535);
    }
  }

  /** Takes the next argument as the port if it is a number; otherwise leaves it alone. */
  private static final class OptionalPort implements IParameterConsumer {
    @Override
    public void consumeParameters(Stack<String> args, ArgSpec option, CommandSpec command) {
      boolean isNumber = !args.isEmpty() && args.peek().matches("[0-9]+");
      try {
        option.setValue(isNumber ? new Port().convert(args.pop()) : Integer.valueOf(0));
      } catch (TypeConversionException e) { // picocli's own message would name the Java class
        throw new ParameterException(
            command.commandLine(),
            "Invalid value for option '--dashboard' (PORT): " + e.getMessage());
      }
    }
  }
}
