package io.heddle.internal.dashboard;

import io.heddle.internal.base.ShownTable;
import io.heddle.internal.inspect.Inspector;
import io.heddle.internal.sched.CpuTimes;
import io.heddle.internal.sched.Sched;
import java.util.List;
import java.util.function.Function;

/**
 * The tables of the page about CPU time, and about the places in the program at which goroutines
 * lose their P.
 */
final class UsageTables {
  private static final int MAX_ROWS = 10;
  private static final List<ShownTable.Column> CPU =
      List.of(
          new ShownTable.Column(
              "CPU ms", "", true, "CPU time, sampled unless heddle.cputime is exact."));
  private static final List<ShownTable.Column> COUNT =
      List.of(
          new ShownTable.Column("hand-offs", "", false, "How often a goroutine lost its P there."));

  private UsageTables() {}

  static void show() {
    cpu("CPU time by creation site", "site", CpuTimes::bySite);
    cpu("CPU time by label", "label", CpuTimes::byLabel);
    new ShownTable(
            "Places that lost their P most often",
            List.of("scheduler", "reason", "place"),
            COUNT,
            rows -> SnapshotJson.schedulers().forEach(sched -> places(sched, rows)))
        .show();
  }

  private static void cpu(String title, String label, Function<CpuTimes, List<CpuTimes.Use>> uses) {
    new ShownTable(
            title,
            List.of("scheduler", label),
            CPU,
            rows -> SnapshotJson.schedulers().forEach(sched -> cpu(sched, uses, rows)))
        .show();
  }

  private static void cpu(
      Sched sched, Function<CpuTimes, List<CpuTimes.Use>> uses, List<ShownTable.TableRow> rows) {
    uses.apply(Inspector.of(sched).cpuTimes()).stream()
        .limit(MAX_ROWS)
        .forEach(use -> rows.add(row(use.nanos() / 1e6, sched.name(), use.by())));
  }

  private static void places(Sched sched, List<ShownTable.TableRow> rows) {
    Inspector.of(sched).handOffs().most(MAX_ROWS).stream()
        .forEach(
            place ->
                rows.add(
                    row(
                        (double) place.count(),
                        sched.name(),
                        place.reason(),
                        place.site().toString())));
  }

  private static ShownTable.TableRow row(double figure, String... labels) {
    return new ShownTable.TableRow(List.of(labels), new double[] {figure});
  }
}
