package io.heddle.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random and damaged files: each one is refused with a message or read as far as possible, in
 * little time and memory. {@code -Dheddle.fuzz.times} runs more cases, {@code -Dheddle.fuzz.seed}
 * repeats a run.
 */
@Timeout(
    value = 1,
    unit = java.util.concurrent.TimeUnit.HOURS,
    threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TraceFuzzTest {
  private static final int CASES = 1_000 * Integer.getInteger("heddle.fuzz.times", 1);
  private static final long SEED = Long.getLong("heddle.fuzz.seed", System.nanoTime());

  /** The limits for reading: a file of a few kilobytes needs neither. */
  private static final long MOST_BYTES = 256L << 20;

  private static final long MOST_NANOS = 10_000_000_000L;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final List<List<Batch>> TRACES = new ArrayList<>();

  @TempDir private static Path dir;

  /** A batch of a file: its type and its payload, without length and checksum. */
  private record Batch(int type, byte[] payload) {}

  @BeforeAll
  static void traceSomePrograms() throws Exception {
    for (Programs program :
        List.of(
            Programs.PING_PONG,
            Programs.SELECT,
            Programs.BLOCKING,
            Programs.PROCS,
            Programs.NAMED)) {
      Path file = dir.resolve(program + ".trace");
      program.trace(2, file);
      List<Batch> batches = batches(java.nio.file.Files.readAllBytes(file));
      TRACES.add(batches.size() <= 60 ? batches : batches.subList(0, 60));
    }
    System.out.println("TraceFuzzTest: " + CASES + " cases, -Dheddle.fuzz.seed=" + SEED);
  }

  @Test
  void damagedBytes() throws Exception {
    for (int i = 0; i < CASES; i++) {
      Random random = new Random(SEED + i);
      byte[] bytes = file(random, some(random));
      look(i, damaged(random, bytes));
    }
  }

  @Test
  void damagedBatchesWithTheRightSums() throws Exception {
    for (int i = 0; i < CASES; i++) {
      Random random = new Random(SEED + i);
      List<Batch> batches = new ArrayList<>(some(random));
      for (int n = random.nextInt(1, 6); n > 0; n--) {
        shuffle(random, batches);
      }
      look(i, file(random, batches));
    }
  }

  @Test
  void inventedBatches() throws Exception {
    for (int i = 0; i < CASES; i++) {
      Random random = new Random(SEED + i);
      List<Batch> batches = new ArrayList<>();
      for (int n = random.nextInt(1, 40); n > 0; n--) {
        batches.add(new Batch(random.nextInt(1, 9), invented(random)));
      }
      look(i, file(random, batches));
    }
  }

  @Test
  void noTraceAtAll() throws Exception {
    for (int i = 0; i < CASES; i++) {
      Random random = new Random(SEED + i);
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      byte[] magic = "HEDTRACE".getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(magic, 0, bytes, 0, Math.min(random.nextInt(9), bytes.length));
      look(i, bytes);
    }
  }

  /** Produces every output that a user can ask for. */
  private static void look(int number, byte[] bytes) {
    String which = "seed %d, case %d".formatted(SEED, number);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    long start = THREADS.getCurrentThreadCpuTime();
    try {
      TraceData data = TraceReader.read(bytes, "x");
      TraceCheck check = TraceCheck.of(data);
      assertThat(check.errors()).as(which).hasSizeLessThan(10_000);
      assertThat(SummaryReport.of(data)).as(which).isNotEmpty();
      TimelinePage.write(data, Writer.nullWriter());
      ChromeTraceWriter.write(data, Writer.nullWriter());
      assertThat(data.isWhole() || !data.notes().isEmpty()).as(which).isTrue();
    } catch (TraceException e) {
      assertThat(e.getMessage()).as(which).startsWith("x ");
    } catch (Exception | StackOverflowError | OutOfMemoryError e) {
      throw new AssertionError(which + ", " + bytes.length + " bytes: " + e, e);
    }
    assertThat(THREADS.getCurrentThreadCpuTime() - start).as(which).isLessThan(MOST_NANOS);
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).as(which).isLessThan(MOST_BYTES);
  }

  private static List<Batch> some(Random random) {
    return TRACES.get(random.nextInt(TRACES.size()));
  }

  private static byte[] damaged(Random random, byte[] whole) {
    byte[] bytes =
        random.nextInt(3) == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length + 1)) : whole;
    for (int n = random.nextInt(8); n > 0 && bytes.length > 0; n--) {
      int at = random.nextInt(random.nextBoolean() ? bytes.length : Math.min(bytes.length, 40));
      bytes[at] =
          (byte) (random.nextBoolean() ? bytes[at] ^ 1 << random.nextInt(8) : random.nextInt());
    }
    return bytes;
  }

  private static void shuffle(Random random, List<Batch> batches) {
    int at = random.nextInt(batches.size());
    Batch batch = batches.get(at);
    switch (random.nextInt(6)) {
      case 0 -> batches.add(random.nextInt(batches.size() + 1), batch);
      case 1 -> batches.set(at, new Batch(random.nextInt(10), batch.payload));
      case 2 -> batches.set(at, new Batch(batch.type, invented(random)));
      case 3 -> {
        if (batches.size() > 1) {
          batches.remove(at);
        }
      }
      default -> batches.set(at, new Batch(batch.type, damaged(random, batch.payload.clone())));
    }
  }

  /** Small numbers that are likely to be valid, and some that are as large as possible. */
  private static byte[] invented(Random random) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int n = random.nextInt(120); n > 0; n--) {
      switch (random.nextInt(8)) {
        case 0 -> number(out, random.nextLong());
        case 1 -> number(out, random.nextBoolean() ? Integer.MAX_VALUE : Long.MAX_VALUE);
        case 2 -> number(out, 1L << random.nextInt(63));
        default -> number(out, random.nextInt(random.nextBoolean() ? 4 : 200));
      }
    }
    return out.toByteArray();
  }

  private static void number(ByteArrayOutputStream out, long n) {
    while ((n & ~0x7fL) != 0) {
      out.write((int) n | 0x80);
      n >>>= 7;
    }
    out.write((int) n);
  }

  private static byte[] file(Random random, List<Batch> batches) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes("HEDTRACE".getBytes(StandardCharsets.US_ASCII));
    number(out, 1);
    number(out, random.nextInt(4) == 0 ? 1 : 0);
    number(out, random.nextLong());
    for (Batch batch : batches) {
      out.write(batch.type);
      number(out, batch.payload.length);
      out.writeBytes(batch.payload);
      CRC32 crc = new CRC32();
      crc.update(batch.type);
      crc.update(batch.payload);
      for (int i = 0; i < 4; i++) {
        out.write((int) (crc.getValue() >>> 8 * i));
      }
    }
    return out.toByteArray();
  }

  private static List<Batch> batches(byte[] bytes) throws ByteReader.DamagedException {
    ByteReader in = new ByteReader(bytes, 8, bytes.length);
    in.number();
    in.number();
    in.number();
    List<Batch> batches = new ArrayList<>();
    while (in.hasMore()) {
      int type = in.next();
      int length = in.smallNumber(in.left() - 4);
      batches.add(new Batch(type, Arrays.copyOfRange(bytes, in.at(), in.at() + length)));
      in.skip(length + 4);
    }
    return batches;
  }
}
