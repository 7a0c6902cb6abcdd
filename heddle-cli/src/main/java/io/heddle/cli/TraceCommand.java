package io.heddle.cli;

import io.heddle.cli.trace.ChromeTraceWriter;
import io.heddle.cli.trace.SummaryReport;
import io.heddle.cli.trace.TimelinePage;
import io.heddle.cli.trace.TraceCheck;
import io.heddle.cli.trace.TraceData;
import io.heddle.cli.trace.TraceReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code heddle trace}: reads a trace file and shows it. */
@Command(
    name = "trace",
    description = {
      "Shows a trace: what each goroutine did, on which P, and what it waited for.",
      "",
      "Record one with 'heddle run --trace FILE', -Dheddle.trace=FILE, HEDDLE_TRACE=FILE or the"
          + " agent's trace=FILE; in a program with Scheduler.trace(file); or on the dashboard."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  heddle trace t.bin",
      "  heddle trace t.bin --html t.html",
      "  heddle trace t.bin --chrome t.json --from 1.2s --to 1.3s",
      "",
      "Without an option: --summary. A truncated file is read up to where it ends.",
      "Exit codes: 0; 1 the file cannot be read, or --check found an impossible event; 2 wrong use."
    })
final class TraceCommand implements Callable<Integer> {
  /** Perfetto's page keeps the whole file in memory, at several times its size. */
  private static final long MOST_FOR_A_VIEWER = 250_000_000;

  @Mixin private CommonOptions common;

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FILE", description = "The trace file.")
  private Path file;

  @Option(
      names = "--summary",
      description =
          "Time running, runnable and waiting by place and reason, scheduling latency, the longest"
              + " waits, how busy the Ps were.")
  private boolean summary;

  @Option(
      names = "--check",
      description = "Check that every event is possible after the events before it.")
  private boolean check;

  @Option(
      names = "--chrome",
      paramLabel = "OUT",
      description = "Writes JSON for ui.perfetto.dev or chrome://tracing.")
  private @Nullable Path chrome;

  @Option(
      names = "--html",
      paramLabel = "OUT",
      description = "Writes a timeline for a browser, as one self-contained file.")
  private @Nullable Path html;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = Moment.class,
      description =
          "Leave out what happened earlier, as in 1.25s, 300ms or 80us since the trace began; not"
              + " for --check.")
  private @Nullable Long from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = Moment.class,
      description = "Leave out what happened later.")
  private @Nullable Long to;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try {
      return run(out, err);
    } catch (NoSuchFileException e) {
      err.println("heddle: there is no file " + e.getFile());
    } catch (UncheckedIOException e) {
      err.println("heddle: " + Objects.requireNonNullElse(e.getCause(), e).getMessage());
    } catch (IOException e) {
      err.println("heddle: " + (e.getMessage() == null ? e : e.getMessage()));
    } finally {
      out.flush();
      err.flush();
    }
    return 1;
  }

  private int run(PrintWriter out, PrintWriter err) throws IOException {
    long first = from == null ? 0 : from;
    long last = to == null ? Long.MAX_VALUE : to;
    if (first >= last) {
      throw new ParameterException(spec.commandLine(), "--from must be before --to");
    }
    requireWritable("--chrome", chrome);
    requireWritable("--html", html);
    TraceData data = TraceReader.read(file);
    if (from != null || to != null) {
      data.select(first, last);
    }
    boolean fine = !check || check(data, out);
    if (chrome != null) {
      write(chrome, to -> ChromeTraceWriter.write(data, to), out);
    }
    if (html != null) {
      write(html, to -> TimelinePage.write(data, to), out);
    }
    if (summary || (!check && chrome == null && html == null)) {
      SummaryReport.of(data).forEach(out::println);
    } else {
      data.notes().forEach(note -> err.println("heddle: " + note));
    }
    return fine ? 0 : 1;
  }

  private void requireWritable(String option, @Nullable Path output) {
    String problem = output == null ? null : OutputFile.problem(output);
    if (problem != null) {
      throw new ParameterException(spec.commandLine(), option + ": " + problem);
    }
  }

  private static boolean check(TraceData data, PrintWriter out) {
    TraceCheck result = TraceCheck.of(data);
    result.errors().forEach(out::println);
    out.println(
        "%,d events%s: %s"
            .formatted(
                result.events(),
                result.lost() == 0 ? "" : ", %,d lost".formatted(result.lost()),
                result.isFine() ? "all legal" : result.errors().size() + " impossible"));
    return result.isFine();
  }

  private interface Export {
    void write(Writer to) throws IOException;
  }

  private static void write(Path to, Export export, PrintWriter out) throws IOException {
    try (Writer writer = Files.newBufferedWriter(to)) {
      export.write(writer);
    }
    out.println("wrote " + to + " (" + size(Files.size(to)) + ")");
    if (Files.size(to) > MOST_FOR_A_VIEWER) {
      out.println("  which may be too large for a viewer: --from and --to select a part");
    }
  }

  private static String size(long bytes) {
    return bytes < 1_000_000
        ? "%,d kB".formatted(Math.ceilDiv(bytes, 1_000))
        : "%,d MB".formatted(Math.ceilDiv(bytes, 1_000_000));
  }
}
