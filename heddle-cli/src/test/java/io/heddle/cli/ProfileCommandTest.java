package io.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code heddle profile}, and CPU times in dump and top, of a program with adopted threads. */
@Tag("full")
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProfileCommandTest {
  @TempDir private static Path temporary;
  private static Fixture fixture;
  private static Process program;

  @BeforeAll
  static void start() throws Exception {
    fixture = new Fixture(temporary);
    fixture.file(
        "Profiled.java",
        """
        import io.heddle.Go;
        static void computeForEver() {
          for (STARTED.countDown(); ; ) Thread.onSpinWait();
        }
        static void sleepForEver() {
          try { Thread.sleep(Long.MAX_VALUE); } catch (InterruptedException e) { }
        }
        static final java.util.concurrent.CountDownLatch STARTED =
            new java.util.concurrent.CountDownLatch(21);
        void main() throws Exception {
          for (int i = 0; i < 20; i++) {
            Thread.ofVirtual().name("sleeper-" + i).start(() -> {
              STARTED.countDown();
              sleepForEver();
            });
          }
          Thread.ofVirtual().name("hog").start(() -> {
            try {
              Go.label("kind", "hog", () -> computeForEver());
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
          STARTED.await();
          IO.println("ready");
          System.in.read();
          System.exit(0);
        }
        """);
    program =
        fixture.start(
            List.of(
                Fixture.JAVA,
                "-javaagent:" + fixture.jar() + "=adopt,procs=2",
                "-cp",
                fixture.jar().toString(),
                fixture.folder.resolve("Profiled.java").toString()));
    assertThat(program.inputReader().readLine()).isEqualTo("ready");
  }

  @AfterAll
  static void end() {
    program.destroyForcibly();
  }

  @Test
  void summaryShowsStatesPlacesAndLabels() {
    Run run = Run.of("profile", pid(), "--seconds", "1");

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith("process " + pid() + ", 1 s: ")
        .containsPattern("%  sleep\n")
        .containsPattern("sleep +Profiled.sleepForEver\\(Profiled.java:6\\)")
        .containsPattern("(running|runnable) +Profiled.computeForEver\\(Profiled.java:3\\)")
        .contains("%  kind=hog");
  }

  @Test
  void collapsedStacksHaveTheSharesOfTheGoroutines() throws Exception {
    Map<String, Long> micros = new TreeMap<>();
    for (String line : Files.readAllLines(profile("p.txt"))) {
      int space = line.lastIndexOf(' ');
      micros.merge(line.substring(0, space), Long.parseLong(line.substring(space + 1)), Long::sum);
    }
    long hog = sum(micros, stack -> stack.contains("Profiled.computeForEver("));
    long sleepers = sum(micros, stack -> stack.contains("Profiled.sleepForEver("));
    assertThat(hog).isPositive();
    assertThat(sleepers).isBetween(10 * hog, 40 * hog);
    assertThat(micros.keySet())
        .anyMatch(stack -> stack.startsWith("sleep;java.lang.VirtualThread.run("));
  }

  @Test
  void pprofFileIsReadBack() throws Exception {
    Path file = profile("p.pb.gz");
    ProtoMessage profile;
    try (GZIPInputStream in =
        new GZIPInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
      profile = ProtoMessage.of(in.readAllBytes());
    }
    List<String> strings = profile.texts(6);
    assertThat(strings.getFirst()).isEmpty();
    assertThat(strings)
        .contains("wall", "nanoseconds", "state", "sleep", "kind", "hog", "Profiled.sleepForEver");
    Map<Long, ProtoMessage> functions = byId(profile.messages(5));
    Map<Long, ProtoMessage> locations = byId(profile.messages(4));
    long hog = 0;
    long sleepers = 0;
    for (ProtoMessage sample : profile.messages(2)) {
      Set<String> names = new HashSet<>();
      for (long id : sample.packed(1)) {
        ProtoMessage line = locations.get(id).messages(4).getFirst();
        names.add(strings.get((int) functions.get(line.number(1)).number(2)));
      }
      long nanos = sample.packed(2).get(1);
      hog += names.contains("Profiled.computeForEver") ? nanos : 0;
      sleepers += names.contains("Profiled.sleepForEver") ? nanos : 0;
    }
    assertThat(hog).isPositive();
    assertThat(sleepers).isBetween(10 * hog, 40 * hog);
  }

  @Test
  void goReadsThePprofFile() throws Exception {
    assumeTrue(hasGo(), "needs the command go");
    Process go =
        new ProcessBuilder(
                "go", "tool", "pprof", "-top", "-tagfocus=hog", profile("g.pb.gz").toString())
            .redirectErrorStream(true)
            .start();
    String top = new String(go.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(go.waitFor()).as(top).isZero();
    assertThat(top)
        .contains("Type: wall", "Profiled.computeForEver")
        .doesNotContain("sleepForEver");
  }

  @Test
  void flameGraphNeedsNothingElse() throws Exception {
    String page = Files.readString(profile("p.html"));
    assertThat(page)
        .contains("Profiled.sleepForEver(Profiled.java:6)", "\"pid\":" + pid())
        .doesNotContain("http:", "https:", "/*DATA*/");
  }

  @Test
  void dumpAndTopShowCpuTimes() {
    String dump = "";
    while (!dump.contains("kind=hog\n")) {
      dump = Run.of("dump", pid()).out();
    }
    assertThat(dump)
        .containsPattern("\nCPU time by creation site, sampled:\n +[0-9.]+ s  threads hog\n")
        .contains("\nCPU time by label, sampled:\n");
    assertThat(Run.of("dump", "--all", pid()).out())
        .containsPattern("CPU time [0-9.]+ s, labels \\{kind=hog\\}\n");
    Run top = Run.of("top", "--once", "--interval", "300", pid());
    assertThat(top.out())
        .containsPattern("by creation site \\(sampled\\)\n +[0-9.]+ +[0-9.]+ s  threads hog\n")
        .containsPattern(" s  kind=hog\n");
    assertThat(top.out().lines()).allMatch(line -> line.length() <= 80);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--out|p.jpg|has another ending than .html, .pb.gz, .txt or .collapsed",
        "--out|no/such/p.html|does not exist",
        "--seconds|0|is not a whole number from 1 to 3600",
      })
  void wrongUseIsExplained(String option, String value, String message) {
    Run run = Run.of("profile", pid(), option, value);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  private static Path profile(String name) {
    Path file = temporary.resolve(name);
    Run run = Run.of("profile", pid(), "--seconds", "1", "--out", file.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).endsWith("wrote " + file + System.lineSeparator());
    return file;
  }

  private static String pid() {
    return Long.toString(program.pid());
  }

  private static long sum(Map<String, Long> micros, Predicate<String> which) {
    return micros.entrySet().stream()
        .filter(each -> which.test(each.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private static Map<Long, ProtoMessage> byId(List<ProtoMessage> all) {
    return all.stream().collect(Collectors.toMap(each -> each.number(1), each -> each));
  }

  private static boolean hasGo() {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "go")));
  }

  /** The fields of a Protocol Buffers message: numbers, and texts or messages as bytes. */
  private record ProtoMessage(Map<Integer, List<Object>> fields) {
    static ProtoMessage of(byte[] bytes) throws IOException {
      Map<Integer, List<Object>> fields = new TreeMap<>();
      ByteBuffer in = ByteBuffer.wrap(bytes);
      while (in.hasRemaining()) {
        long key = varint(in);
        Object value;
        switch ((int) key & 7) {
          case 0 -> value = varint(in);
          case 2 -> {
            byte[] inner = new byte[(int) varint(in)];
            in.get(inner);
            value = inner;
          }
          default -> throw new IOException("wire type " + (key & 7));
        }
        fields.computeIfAbsent((int) (key >> 3), _ -> new ArrayList<>()).add(value);
      }
      return new ProtoMessage(fields);
    }

    private static long varint(ByteBuffer in) {
      long value = 0;
      for (int shift = 0; ; shift += 7) {
        byte b = in.get();
        value |= (long) (b & 0x7f) << shift;
        if (b >= 0) {
          return value;
        }
      }
    }

    private List<Object> all(int field) {
      return fields.getOrDefault(field, List.of());
    }

    long number(int field) {
      return (Long) all(field).getFirst();
    }

    List<String> texts(int field) {
      return all(field).stream()
          .map(bytes -> new String((byte[]) bytes, StandardCharsets.UTF_8))
          .toList();
    }

    List<ProtoMessage> messages(int field) throws IOException {
      List<ProtoMessage> inner = new ArrayList<>();
      for (Object bytes : all(field)) {
        inner.add(of((byte[]) bytes));
      }
      return inner;
    }

    List<Long> packed(int field) {
      List<Long> numbers = new ArrayList<>();
      for (Object bytes : all(field)) {
        for (ByteBuffer in = ByteBuffer.wrap((byte[]) bytes); in.hasRemaining(); ) {
          numbers.add(varint(in));
        }
      }
      return numbers;
    }
  }
}
