package io.heddle.cli;

import io.heddle.ProfiledStack;
import io.heddle.SchedulerMXBean;
import io.heddle.cli.attach.Target;
import io.heddle.cli.attach.TargetException;
import io.heddle.cli.profile.CollapsedStacks;
import io.heddle.cli.profile.FlamePage;
import io.heddle.cli.profile.PprofFile;
import io.heddle.cli.profile.ProfileSummary;
import io.heddle.cli.profile.WallProfile;
import io.heddle.cli.screen.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code heddle profile}: takes a wall-clock profile of the goroutines of a running program. */
@Command(
    name = "profile",
    description = {
      "Shows where the goroutines of a running program spend their time: running, runnable, or"
          + " waiting, for what, and with which stack.",
      "",
      "Each goroutine counts, also one that waits all the time: a second of a hundred goroutines"
          + " is a hundred seconds. The program needs no agent and no flag; it is not stopped."
    },
    footer = "Exit codes: 0; 1 if the process does not answer; 2 wrong use.")
final class ProfileCommand implements Callable<Integer> {
  private final Screen screen;

  @Mixin private CommonOptions common;

  @Spec private CommandSpec spec;

  @Mixin private ProcessArgument process;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "10",
      converter = ProfileSeconds.class,
      description = "How long: 1 to 3600 seconds; default: 10.")
  private int seconds;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Write the profile to a file, whose name says how: .html is a flame graph for a browser,"
              + " .pb.gz is for 'go tool pprof' and other tools of that format, and .txt or"
              + " .collapsed are collapsed stacks, a line each. Without it a summary is printed.")
  private @Nullable Path out;

  ProfileCommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() throws TargetException, InterruptedException, IOException {
    Path file = out;
    checkOut(file);
    try (Target target = Target.open(process.pid())) {
      if (file != null) {
        screen.line("profiling process " + process.pid() + " for " + seconds + " s");
      }
      WallProfile profile = new WallProfile(process.pid(), seconds, stacks(target));
      if (file == null) {
        ProfileSummary.of(profile).forEach(screen::line);
      } else {
        write(profile, file);
        screen.line("wrote " + file);
      }
    }
    return 0;
  }

  private void checkOut(@Nullable Path file) {
    String problem = null;
    if (file != null) {
      problem = OutputFile.problem(file);
      if (problem == null && kind(file).isEmpty()) {
        problem = "'" + file + "' has another ending than .html, .pb.gz, .txt or .collapsed";
      }
    }
    if (problem != null) {
      throw new ParameterException(spec.commandLine(), "--out: " + problem);
    }
  }

  /** Returns the ending of a file's name that says what to write; empty if it says nothing. */
  private static String kind(Path file) {
    String name = file.toString();
    return List.of(".html", ".pb.gz", ".txt", ".collapsed").stream()
        .filter(name::endsWith)
        .findFirst()
        .orElse("");
  }

  private static void write(WallProfile profile, Path file) throws IOException {
    switch (kind(file)) {
      case ".html" -> Files.writeString(file, FlamePage.of(profile));
      case ".pb.gz" -> Files.write(file, PprofFile.of(profile));
      default -> Files.writeString(file, CollapsedStacks.of(profile));
    }
  }

  /** Asks all schedulers at the same time, because each takes as long as the profile. */
  private List<WallProfile.Stack> stacks(Target target)
      throws TargetException, InterruptedException {
    List<WallProfile.Stack> all = new ArrayList<>();
    try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
      List<SchedulerMXBean> schedulers = target.schedulers();
      List<Future<List<WallProfile.Stack>>> asked =
          schedulers.stream().map(bean -> each.submit(() -> stacks(target, bean))).toList();
      for (Future<List<WallProfile.Stack>> answer : asked) {
        all.addAll(answer.get());
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TargetException failed) {
        throw failed;
      }
      throw new IllegalStateException(e.getCause());
    }
    return all;
  }

  private List<WallProfile.Stack> stacks(Target target, SchedulerMXBean bean)
      throws TargetException {
    String name = target.ask(bean::getName);
    List<ProfiledStack> seen = target.ask(() -> bean.profile(seconds * 1_000L));
    return seen.stream().map(stack -> new WallProfile.Stack(name, stack)).toList();
  }

  /** At most an hour. */
  private static final class ProfileSeconds extends WholeNumber {
    ProfileSeconds() {
      super(1, 3_600);
    }
  }
}
