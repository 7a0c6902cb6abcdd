package io.heddle.bench.suite;

import static io.heddle.bench.suite.Figure.less;
import static io.heddle.bench.suite.Figure.more;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The rows of the table. */
@SuppressWarnings({
  "NullAway",
  "ImmutableEnumChecker"
}) // a figure that was not printed fails its row
enum Row {
  SPAWN("spawn", "start and wait", 1_000_000, perOperation(1)),
  PING_PONG_1("ping-pong-1", "ping-pong, 1 proc", 200_000, perOperation(1)),
  PING_PONG_2("ping-pong-2", "ping-pong, 2 procs", 200_000, perOperation(1)),
  RING("ring", "ring of 1 000", 1_000, perOperation(1_000)),
  SKYNET("skynet", "skynet of 10⁶", 1_000_000, less("ms", "ms", (raw, _) -> ms(raw, "nanos"))),
  BUFFERED("buffered", "channel of 128", 2_000_000, perOperation(1)),
  MPMC("mpmc", "4 to 4, of 128", 1_000_000, perOperation(1)),
  SELECT("select", "select over 4", 400_000, perOperation(1)),
  GOSCHED("gosched", "yield, 1 proc", 1_000_000, perOperation(1)),
  MUTEX("mutex", "8 at one lock", 4_000_000, perOperation(1)),
  TIMERS(
      "timers",
      "10⁶ sleep up to 1 s",
      1_000_000,
      less("over", "ms over the ideal", (raw, _) -> ms(raw, "nanos") - 1_000),
      less("cpu", "CPU s", (raw, _) -> raw.get("cpu") / 1e9).aside()),
  STOP_TIMERS("stop-timers", "make and stop timers", 10_000_000, perOperation(1)),
  PARKED(
      "parked",
      "10⁶ blocked on a channel",
      1_000_000,
      less("heap", "bytes each, live", (raw, n) -> raw.get("heap") / n),
      less("rss", "bytes each, resident", (raw, n) -> raw.get("rss") / n).aside()),
  SUM(
      "sum",
      "sum of 10⁷ ints",
      10_000_000,
      less("ms", "ms", (raw, _) -> ms(raw, "nanos")),
      more("times", "times one", (raw, _) -> raw.get("one") / raw.get("nanos")).aside()),
  FIND(
      "find",
      "1 000 documents, 1 proc",
      1_000,
      less("ms", "ms", (raw, _) -> ms(raw, "nanos")),
      more("times", "times one", (raw, _) -> raw.get("one") / raw.get("nanos")).aside()),
  HOGS(
      "hogs",
      "1 ms ticker beside hogs",
      2_000,
      less("p50", "p50 gap, ms", (raw, _) -> gap(raw, "p50")).aside(),
      less("p99", "p99 gap, ms", (raw, _) -> gap(raw, "p99")),
      less("max", "max gap, ms", (raw, _) -> gap(raw, "max")).aside()),
  PINNED(
      "pinned",
      "beside native code that blocks",
      1_000,
      more("kept", "% of throughput kept", (raw, _) -> raw.get("kept")).aside()),
  BACKGROUND(
      "background",
      "small requests beside batch work",
      3_000,
      less("alone", "p99 without batch work, ms", (raw, _) -> ms(raw, "alone")).aside(),
      less("p99", "p99, ms", (raw, _) -> ms(raw, "p99")),
      more("kept", "% of batch work kept", (raw, _) -> raw.get("kept")).aside(),
      less("plain", "p99 in one scheduler, ms", (raw, _) -> ms(raw, "plain")).aside()),
  OVERLOAD(
      "overload",
      "twice the capacity",
      30_000,
      more("capacity", "requests/s, the capacity", (raw, _) -> raw.get("capacity")).aside(),
      more("good", "% of capacity answered in 0.5 s", (raw, _) -> raw.get("good")).aside(),
      less("p99", "p99 of those accepted, ms", (raw, _) -> ms(raw, "p99")),
      less("recovery", "ms until the backlog is gone", (raw, _) -> ms(raw, "recovery")).aside(),
      more("plain", "% without admission control", (raw, _) -> raw.get("plaingood")).aside()),
  ECHO(
      "echo",
      "1 000 connections",
      64,
      more("rps", "requests/s", (raw, _) -> raw.get("rps")),
      less("p50", "p50, ms", (raw, _) -> ms(raw, "p50")).aside(),
      less("p99", "p99, ms", (raw, _) -> ms(raw, "p99")).aside()),
  HTTP(
      "http",
      "HTTP server on virtual threads",
      64,
      more("rps", "requests/s", (raw, _) -> raw.get("rps")),
      less("p99", "p99, ms", (raw, _) -> ms(raw, "p99")).aside(),
      less("hogs", "p99 beside a hog per core, ms", (raw, _) -> ms(raw, "hogs")).aside()),
  IDLE(
      "idle",
      "10⁵ parked, 10³ asleep",
      100_000,
      less("cpu", "CPU %", (raw, _) -> raw.get("cpu")).aside()),
  GROWTH_SPAWN("growth-spawn", "start and wait, growing", 0, perOperation(1).aside()),
  GROWTH_PAIRS(
      "growth-pairs",
      "ping-pong pairs, growing",
      0,
      less("ns", "ns", (raw, n) -> raw.get("nanos") / (n / 2 * 4)).aside()),
  GROWTH_SKYNET("growth-skynet", "skynet, growing", 0, perOperation(1).aside());

  private static final String NO_TWIN = "there is no twin of this row";
  private static final String SAME_AS_JDK = "uses no channel: same as JDK";

  /** The name on the command line and in JSON. */
  final String id;

  final String title;
  private final int size;
  final List<Figure> figures;

  Row(String id, String title, int size, Figure... figures) {
    this.id = id;
    this.title = title;
    this.size = size;
    this.figures = List.of(figures);
  }

  /** The name in the twins' protocol. */
  String twinName() {
    return id.replaceAll("^growth-|-[12]$", "");
  }

  /** The name of the row's family, which the user gives. */
  String family() {
    return id.startsWith("growth") ? "growth" : twinName();
  }

  boolean isGrowth() {
    return id.startsWith("growth");
  }

  boolean isService() {
    return this == ECHO || this == HTTP || this == IDLE;
  }

  int size(boolean quick) {
    if (!quick) {
      return size;
    }
    return switch (this) {
      case STOP_TIMERS -> size / 10;
      case RING -> size / 5;
      case PING_PONG_1, PING_PONG_2, MPMC, SELECT, HOGS, PINNED -> size / 2;
      case OVERLOAD -> size / 3;
      default -> size;
    };
  }

  /** The minimum time in milliseconds for which gaps are observed. */
  double watchedMillis() {
    return this == HOGS ? size(true) : Double.POSITIVE_INFINITY;
  }

  int procs(int cpus) {
    return switch (this) {
      case PING_PONG_1, GOSCHED, FIND -> 1;
      case PING_PONG_2 -> 2;
      default -> cpus;
    };
  }

  boolean hasSockets() {
    return this == ECHO || this == HTTP;
  }

  /** Whether the row runs only once, because a run is long or starts from scratch. */
  boolean runsOnce() {
    return switch (this) {
      case TIMERS, PARKED, HOGS, PINNED, BACKGROUND, OVERLOAD -> true;
      default -> false;
    };
  }

  /** The reason why this contender lacks the row; "" if it has it. */
  String lack(Contender contender) {
    return switch (contender) {
      case JOX ->
          switch (this) {
            case PING_PONG_1, PING_PONG_2, RING, SKYNET, BUFFERED, MPMC, SELECT -> "";
            case PARKED, GROWTH_PAIRS, GROWTH_SKYNET -> "";
            default -> SAME_AS_JDK;
          };
      case JDK -> this == SELECT ? "java.util.concurrent has no select" : "";
      case KOTLIN ->
          switch (this) {
            case ECHO, HTTP -> "coroutines have no sockets";
            case BACKGROUND, OVERLOAD -> NO_TWIN;
            default -> "";
          };
      case TOKIO ->
          switch (this) {
            case MPMC -> "Tokio has no channel with several receivers";
            case HTTP -> "Tokio has no HTTP server";
            case BACKGROUND, OVERLOAD -> NO_TWIN;
            default -> "";
          };
      default -> "";
    };
  }

  /** The expected check value of the twin. */
  long expected(int n) {
    return switch (this) {
      case SPAWN, GOSCHED, MUTEX, TIMERS, STOP_TIMERS, PARKED, FIND, GROWTH_SPAWN -> n;
      case PING_PONG_1, PING_PONG_2, BUFFERED -> sevenBits(n);
      case MPMC, SELECT -> 4 * sevenBits(n / 4);
      case RING -> (1_000L * n) & 127;
      case SKYNET, GROWTH_SKYNET -> (long) n * (n - 1) / 2;
      case GROWTH_PAIRS -> 6L * (n / 2);
      case SUM -> (n / 1_024) * 1_023L * 512 + upTo(n % 1_024);
      default -> 0;
    };
  }

  static List<String> families() {
    return Arrays.stream(values()).map(Row::family).distinct().toList();
  }

  /**
   * Returns the rows with this name; throws {@link IllegalArgumentException} that lists the names.
   */
  static List<Row> of(String name) {
    List<Row> named =
        Arrays.stream(values())
            .filter(each -> each.family().equals(name) || each.id.equals(name))
            .toList();
    if (named.isEmpty()) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' is not a row: allowed are "
              + families().stream().collect(Collectors.joining(",")));
    }
    return named;
  }

  private static Figure perOperation(int operations) {
    return less("ns", "ns", (raw, n) -> raw.get("nanos") / (n * operations));
  }

  private static double ms(Map<String, Double> raw, String key) {
    return raw.get(key) / 1e6;
  }

  /** A ticker that never ticked has no finite gap. */
  private static double gap(Map<String, Double> raw, String key) {
    return raw.get("ticks") == 0 ? Double.POSITIVE_INFINITY : ms(raw, key);
  }

  private static long sevenBits(int n) {
    return (n / 128) * 127L * 64 + upTo(n % 128);
  }

  private static long upTo(long n) {
    return n * (n - 1) / 2;
  }
}
