package io.heddle.cli;

import io.heddle.cli.attach.TargetException;
import io.heddle.cli.doctor.Checkup;
import io.heddle.cli.doctor.Finding;
import io.heddle.cli.doctor.ProbeCommand;
import io.heddle.cli.doctor.Vitals;
import io.heddle.cli.screen.Screen;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code heddle doctor}: says whether Heddle is active in a JVM, and what to do about it. */
@Command(
    name = "doctor",
    description = {
      "Examines a running JVM, or one that a command line would start: is Heddle active, what is"
          + " off, known bugs of this JDK, other agents, copies of the library, limits, settings.",
      "",
      "Each finding comes with what to do. A command line is tried with a small program in place"
          + " of its own, so its agents and flags have their effect."
    },
    customSynopsis = {"heddle doctor PID", "       heddle doctor -- java [FLAGS] -jar app.jar"},
    footer = "Exit codes: 0; 1 a problem was found, or the JVM does not answer; 2 wrong use.")
final class DoctorCommand implements Callable<Integer> {
  private static final int WIDTH = 79;
  private static final int INDENT = 9;

  private final Screen screen;

  @Mixin private CommonOptions common;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "PID",
      arity = "1..*",
      description = "The process to examine, or after -- a command line of java.")
  private List<String> words = List.of();

  DoctorCommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() throws TargetException {
    Vitals vitals = vitals();
    screen.line(screen.bold(vitals.program().isEmpty() ? "(no main class)" : vitals.program()));
    boolean hasProblem = false;
    for (Finding finding : Checkup.of(vitals)) {
      show(finding);
      hasProblem |= finding.level() == Finding.Level.PROBLEM;
    }
    return hasProblem ? 1 : 0;
  }

  private Vitals vitals() throws TargetException {
    String first = words.getFirst();
    if (first.matches("[0-9]+")) {
      if (words.size() > 1) {
        throw new ParameterException(
            spec.commandLine(), "'" + words.get(1) + "' after the process id is too much");
      }
      return Vitals.of(pid(first));
    }
    try {
      return ProbeCommand.parse(words).examine();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new TargetException(String.valueOf(e.getMessage()), e);
    }
  }

  private long pid(String text) {
    try {
      return new Pid().convert(text);
    } catch (TypeConversionException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }

  private void show(Finding finding) {
    String mark =
        switch (finding.level()) {
          case OK -> screen.green("ok       ");
          case NOTE -> "note     ";
          case PROBLEM -> screen.red("problem  ");
        };
    List<String> lines = wrap(finding.text());
    screen.line(mark + lines.getFirst());
    lines.stream().skip(1).forEach(line -> screen.line(" ".repeat(INDENT) + line));
    String remedy = finding.remedy();
    if (remedy != null) {
      wrap("-> " + remedy).forEach(line -> screen.line(" ".repeat(INDENT) + line));
    }
  }

  /** Breaks a text at spaces into lines that fit beside the mark. A longer word is not broken. */
  static List<String> wrap(String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > WIDTH - INDENT) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
