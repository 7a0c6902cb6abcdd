package io.heddle.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Damaged, truncated and foreign files. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TraceReaderTest {
  @TempDir Path dir;

  @Test
  void emptyFileIsRefused() {
    assertThatThrownBy(() -> TraceReader.read(new byte[0], "x.trace"))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("x.trace is empty");
  }

  @Test
  void foreignFileIsRefused() {
    assertThatThrownBy(() -> TraceReader.read("PK\u0003\u0004 something".getBytes(), "x.zip"))
        .hasMessage("x.zip is not a Heddle trace");
    assertThatThrownBy(() -> TraceReader.read(new byte[] {'H', 'E', 'D'}, "x"))
        .hasMessageContaining("truncated");
  }

  @Test
  void otherVersionIsRefused() throws Exception {
    byte[] bytes = Programs.bytes(dir);
    bytes[8] = 99;
    assertThatThrownBy(() -> TraceReader.read(bytes, "x"))
        .hasMessage("x is a trace of version 99; this heddle reads 2");
  }

  @Test
  void truncatedFileIsReadUpToItsEnd() throws Exception {
    byte[] bytes = Programs.bytes(dir);
    long whole = TraceCheck.of(TraceReader.read(bytes, "x")).events();
    for (int part = 1; part < 20; part++) {
      byte[] cut = Arrays.copyOf(bytes, (int) ((long) bytes.length * part / 20));
      TraceData data = TraceReader.read(cut, "x");
      TraceCheck check = TraceCheck.of(data);
      assertThat(data.isWhole()).isFalse();
      assertThat(data.notes())
          .singleElement()
          .asString()
          .containsAnyOf("read up to there", "has no end");
      assertThat(check.errors()).as("cut at %d of 20", part).isEmpty();
      assertThat(check.events()).isLessThan(whole);
    }
    assertThat(
            TraceCheck.of(TraceReader.read(Arrays.copyOf(bytes, bytes.length / 2), "x")).events())
        .isPositive();
  }

  @Test
  void flippedBitIsDetected() throws Exception {
    byte[] bytes = Programs.bytes(dir);
    bytes[bytes.length / 2] ^= 4;
    assertThat(TraceReader.read(bytes, "x").notes()).isNotEmpty();
  }

  @Test
  void garbageNeitherHangsNorCrashes() throws Exception {
    byte[] bytes = Programs.bytes(dir);
    Random random = new Random(11);
    for (int trial = 0; trial < 300; trial++) {
      byte[] broken = bytes.clone();
      for (int n = random.nextInt(1, 20); n > 0; n--) {
        broken[random.nextInt(8, broken.length)] = (byte) random.nextInt();
      }
      look(trial % 2 == 0 ? broken : withRightChecksums(broken));
    }
  }

  /** Produces every output that a user can ask for. */
  private static void look(byte[] bytes) throws Exception {
    TraceData data;
    try {
      data = TraceReader.read(bytes, "x");
    } catch (TraceException e) {
      assertThat(e.getMessage()).startsWith("x ");
      return;
    }
    assertThat(TraceCheck.of(data)).isNotNull();
    assertThat(SummaryReport.of(data)).isNotEmpty();
    TimelinePage.write(data, new StringWriter());
    ChromeTraceWriter.write(data, new StringWriter());
  }

  /**
   * Corrects the checksums of the batches that can be found, so that the reader looks into the
   * batches.
   */
  private static byte[] withRightChecksums(byte[] bytes) throws Exception {
    ByteReader in = new ByteReader(bytes, 8, bytes.length);
    try {
      in.number();
      in.number();
      in.number();
      while (in.hasMore()) {
        int type = in.next();
        int length = in.smallNumber(Integer.MAX_VALUE);
        if (length > in.left() - 4) {
          break; // garbage: this is the length of no batch
        }
        CRC32 crc = new CRC32();
        crc.update(type);
        crc.update(bytes, in.at(), length);
        for (int i = 0; i < 4; i++) {
          bytes[in.at() + length + i] = (byte) (crc.getValue() >>> 8 * i);
        }
        in.skip(length + 4);
      }
    } catch (ByteReader.DamagedException e) {
      // no further batch can be found
    }
    return bytes;
  }
}
