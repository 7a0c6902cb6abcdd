package io.heddle.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.cluster.Frame.FrameException;
import io.heddle.cluster.Frame.Item;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes from anywhere are a frame, or a {@link FrameException}; never anything else. */
class FrameFuzzTest {
  private static final int TIMES = 20_000 * Integer.getInteger("heddle.fuzz.times", 1);
  private static final long SEED = Long.getLong("heddle.fuzz.seed", 1);

  private static Frame frame(Random random) {
    List<Item> items = new ArrayList<>();
    for (int i = random.nextInt(5); i >= 0; i--) {
      byte[] bytes = new byte[random.nextInt(20)];
      random.nextBytes(bytes);
      items.add(
          new Item(
              bytes,
              random.nextBoolean() ? -1 : random.nextInt(1_000_000),
              random.nextBoolean() ? null : "00-trace-" + i));
    }
    return new Frame("node-" + random.nextInt(9), random.nextLong(), "json", items);
  }

  private static void assertSame(Frame a, Frame b) {
    assertThat(b).usingRecursiveComparison().isEqualTo(a);
  }

  @Test
  void framesSurvive() throws FrameException {
    Random random = new Random(SEED);
    for (int i = 0; i < 500; i++) {
      Frame frame = frame(random);
      assertSame(frame, Frame.decode(frame.encode()));
    }
  }

  @Test
  void changedAndCutFramesAreReadOrRefused() {
    Random random = new Random(SEED);
    int refused = 0;
    for (int i = 0; i < TIMES; i++) {
      byte[] bytes = frame(random).encode();
      for (int k = random.nextInt(4); k > 0; k--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      if (random.nextInt(3) == 0) {
        bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 10));
      }
      try {
        assertThat(Frame.decode(bytes).items()).isNotEmpty();
      } catch (FrameException e) {
        refused++;
        assertThat(e.getMessage()).isNotEmpty();
      }
    }
    assertThat(refused).isBetween(TIMES / 5, TIMES - 1);
  }

  @Test
  void randomBytesAreRefusedWithoutLargeArrays() {
    Random random = new Random(SEED);
    for (int i = 0; i < TIMES; i++) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      if (bytes.length > 0 && random.nextBoolean()) {
        bytes[0] = 1; // the version
      }
      if (bytes.length > 20 && random.nextBoolean()) {
        Arrays.fill(bytes, 1, 3, (byte) 0); // an empty sender
        Arrays.fill(bytes, 11, 13, (byte) 0); // an empty codec
      }
      try {
        Frame.decode(bytes);
      } catch (FrameException e) {
        // As it should be.
      }
    }
    byte[] greedy = new byte[40];
    greedy[0] = 1;
    Arrays.fill(greedy, 13, 17, (byte) 0x7F); // two thousand million items
    assertThatThrownBy(() -> Frame.decode(greedy))
        .isInstanceOf(FrameException.class)
        .hasMessageContaining("items");
  }

  @Test
  void otherVersionIsNamed() {
    assertThatThrownBy(() -> Frame.decode(new byte[] {2}))
        .isInstanceOf(FrameException.class)
        .hasMessage("frame version 2: known is 1");
  }

  @Test
  void messagesOfTasksAreReadOrRefused() {
    Random random = new Random(SEED);
    byte[] good = TaskMessages.encode(new TaskMessages.Claim("a.1", "b", "b.7"));
    int refused = 0;
    for (int i = 0; i < 5_000; i++) {
      byte[] bytes = Arrays.copyOf(good, random.nextInt(good.length + 1));
      if (bytes.length > 0) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        TaskMessages.decode(bytes);
      } catch (CodecException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(4_000);
  }
}
