package io.heddle.cli;

import io.heddle.cli.lab.Lab;
import io.heddle.cli.screen.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code heddle lab}: reads the options and runs the lab. */
@Command(
    name = "lab",
    description = {
      "Runs the same small programs on five thread models and compares them.",
      "",
      "One thread per task, ThreadPoolExecutor, ForkJoinPool, the JDK's virtual threads and"
          + " Heddle run each program in turns; the table shows the median time, and how many times"
          + " faster that is than the first line. A longer bar is faster. Each result is checked."
    },
    footerHeading = "%nPrograms:%n",
    footer = {
      "  order     one task starts ten others: in which order do they run?",
      "  sum       adds ten million numbers: computing",
      "  find      finds a word in documents that take 1 ms to read: waiting",
      "  pingpong  sends a message back and forth: switching",
      "  hogs      runs a short task beside tasks that never yield: fairness",
      "  reads     reads files that block: system calls",
      "",
      "Exit codes: 0, or 1 if a result was wrong."
    })
final class LabCommand implements Callable<Integer> {
  private final Screen screen;

  @Mixin private CommonOptions common;

  @Spec private CommandSpec spec;

  @Option(names = "--quick", description = "Smaller programs and fewer rounds: a few seconds.")
  private boolean quick;

  @Option(
      names = "--only",
      paramLabel = "PROGRAM",
      split = ",",
      description = "Only these programs, with commas between them.")
  private List<String> only = new ArrayList<>();

  @Option(
      names = "--html",
      paramLabel = "OUT",
      description = "Also writes a page with the explanations and plots, all in one file.")
  private @Nullable Path html;

  LabCommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() throws Exception {
    Lab lab = quick ? Lab.quick(screen) : Lab.full(screen);
    for (String name : only) {
      if (!lab.names().contains(name)) {
        throw new ParameterException(spec.commandLine(), unknown(name, lab.names()));
      }
    }
    String problem = html == null ? null : OutputFile.problem(html);
    if (problem != null) {
      throw new ParameterException(spec.commandLine(), "--html: " + problem);
    }
    Lab chosen = only.isEmpty() ? lab : lab.only(only);
    boolean isRight = chosen.run();
    if (html != null) {
      try {
        Files.writeString(html, chosen.page());
      } catch (IOException e) {
        throw new ParameterException(spec.commandLine(), "the page cannot be written: " + e, e);
      }
      screen.blank();
      screen.line("wrote " + html);
    }
    return isRight ? 0 : 1;
  }

  private static String unknown(String name, List<String> known) {
    List<String> meant = Spelling.near(name, known);
    return "there is no program '%s'. %s"
        .formatted(
            name,
            meant.isEmpty()
                ? "There are " + String.join(", ", known)
                : "Did you mean '" + String.join("' or '", meant) + "'?");
  }
}
