package io.heddle.cli;

import java.nio.file.Files;
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

/** Those options of {@code heddle run} that are settings of the scheduler in the program. */
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

  /** Null if it can be, or none is asked for. To be said before the program begins. */
  @Nullable Path unwritableTrace() {
    return trace == null || canBeWritten(trace) ? null : trace;
  }

  private static boolean canBeWritten(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    return folder != null
        && Files.isWritable(Files.exists(file) ? file : folder)
        && !Files.isDirectory(file)
        && Files.isDirectory(folder);
  }

  /** Whether something is to stay that is not asked for. */
  boolean lingersWithoutDashboard() {
    return linger && dashboard == null;
  }

  /** By their names without {@code heddle.}; only what was given. */
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

  /** Up to a day. */
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

  /** A number behind the option is its port; anything else is not its own. */
  private static final class OptionalPort implements IParameterConsumer {
    @Override
    public void consumeParameters(Stack<String> args, ArgSpec option, CommandSpec command) {
      boolean isNumber = !args.isEmpty() && args.peek().matches("[0-9]+");
      try {
        option.setValue(isNumber ? new Port().convert(args.pop()) : Integer.valueOf(0));
      } catch (TypeConversionException e) { // picocli would name the class of it to the user
        throw new ParameterException(
            command.commandLine(),
            "Invalid value for option '--dashboard' (PORT): " + e.getMessage());
      }
    }
  }
}
