package io.heddle.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Values survive their codec; bytes from anywhere become a value or a {@link CodecException}. */
class CodecTest {
  enum Color {
    RED,
    GREEN
  }

  record Point(int x, double y) {}

  sealed interface Shape {}

  record Circle(Point center, long radius) implements Shape {}

  record Group(List<Shape> parts, Color color) implements Shape {}

  record Everything(
      String text,
      boolean flag,
      BigDecimal number,
      byte[] bytes,
      int[] ints,
      Instant when,
      Duration time,
      UUID uuid,
      Set<Color> colors,
      Map<String, Point> points,
      Map<Color, String> names,
      Optional<String> maybe) {}

  record Bad(String name, Thread worker) {}

  record Open(List<Object> anything) {}

  record Node(String name, List<Node> children) {}

  private static <T> T roundTrip(Codec<T> codec, T value) {
    return codec.decode(codec.encode(value));
  }

  @Test
  void recordsAndSealedTypesSurviveJson() {
    Shape group =
        new Group(List.of(new Circle(new Point(1, 2.5), 7), new Group(List.of(), null)), Color.RED);
    assertThat(roundTrip(Codec.json(Shape.class), group)).isEqualTo(group);
    Node tree = new Node("root", List.of(new Node("leaf", List.of())));
    assertThat(roundTrip(Codec.json(Node.class), tree)).isEqualTo(tree);
    assertThat(new String(Codec.json(Shape.class).encode(group), StandardCharsets.UTF_8))
        .contains("\"@type\":\"Group\"")
        .doesNotContain("io.heddle");
  }

  @Test
  void everyAllowedKindSurvivesJson() {
    Everything all =
        new Everything(
            "späße \u0000 \uD83D\uDE00",
            true,
            new BigDecimal("12345678901234567890.123"),
            new byte[] {0, -1, 127},
            new int[] {1, 2},
            Instant.parse("2026-11-19T05:00:00.123456789Z"),
            Duration.ofNanos(1_000_000_001),
            UUID.fromString("123e4567-e89b-12d3-a456-426614174000"),
            Set.of(Color.GREEN),
            Map.of("a", new Point(1, -0.5)),
            Map.of(Color.RED, "red"),
            Optional.of("x"));
    Everything back = roundTrip(Codec.json(Everything.class), all);
    assertThat(back).usingRecursiveComparison().isEqualTo(all);
  }

  @Test
  void otherVersionsAreRead() {
    Codec<Point> codec = Codec.json(Point.class);
    assertThat(codec.decode("{\"x\":1,\"z\":[{}]}".getBytes())).isEqualTo(new Point(1, 0));
    assertThat(codec.accepts("json")).isTrue();
    assertThat(codec.accepts("protobuf")).isFalse();
  }

  @Test
  void codecOfTwoFunctionsTellsWhatTheyThrow() {
    Codec<Color> codec =
        Codec.of(
            "color",
            color -> new byte[] {(byte) color.ordinal()},
            bytes -> {
              if (bytes.length != 1) {
                throw new IOException("one byte, not " + bytes.length);
              }
              return Color.values()[bytes[0]];
            });
    assertThat(roundTrip(codec, Color.GREEN)).isEqualTo(Color.GREEN);
    assertThat(codec.type()).isEqualTo("color");
    assertThatThrownBy(() -> codec.decode(new byte[2]))
        .isInstanceOf(CodecException.class)
        .hasMessage("one byte, not 2");
  }

  @Test
  void typeThatJsonCannotCarryIsRefusedWithItsPlace() {
    assertThatThrownBy(() -> Codec.json(Bad.class))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("Bad.worker")
        .hasMessageContaining("java.lang.Thread")
        .hasMessageContaining("Codec of your own");
    assertThatThrownBy(() -> Codec.json(Open.class)).hasMessageContaining("java.lang.Object");
    assertThatThrownBy(() -> Codec.json(Object.class)).isInstanceOf(CodecException.class);
    assertThatThrownBy(() -> Codec.json(Runnable.class)).isInstanceOf(CodecException.class);
  }

  @Test
  void otherBytesAreRefused() {
    Codec<Shape> shapes = Codec.json(Shape.class);
    for (String text :
        List.of(
            "",
            "null",
            "[]",
            "{}",
            "{\"@type\":\"Runtime\"}",
            "{\"@type\":\"java.lang.Thread\"}",
            "{\"@type\":\"Circle\"} {}",
            "{\"@type\":\"Circle\",\"center\":5}")) {
      assertThatThrownBy(() -> shapes.decode(text.getBytes()))
          .as(text)
          .isInstanceOf(CodecException.class);
    }
    String deep = "{\"name\":\"x\",\"children\":[".repeat(5_000);
    assertThatThrownBy(() -> Codec.json(Node.class).decode(deep.getBytes()))
        .isInstanceOf(CodecException.class);
    assertThatThrownBy(() -> Codec.string().decode(new byte[] {(byte) 0xC0}))
        .isInstanceOf(CodecException.class);
  }

  @Test
  void changedBytesAreReadOrRefused() {
    Random random = new Random(1);
    Codec<Shape> shapes = Codec.json(Shape.class);
    byte[] good = shapes.encode(new Group(List.of(new Circle(new Point(1, 2), 3)), Color.GREEN));
    int refused = 0;
    for (int i = 0; i < 5_000; i++) {
      byte[] bad = good.clone();
      for (int k = random.nextInt(4); k >= 0; k--) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt();
      }
      try {
        assertThat(shapes.decode(bad)).isNotNull();
      } catch (CodecException e) {
        refused++;
      }
    }
    assertThat(refused).isBetween(1_000, 4_999);
  }

  @Test
  void deadLettersSurviveTheirCodec() {
    DeadLetter letter =
        new DeadLetter("orders", "a.1", "x".repeat(5_000), 3, "a", "b", "json", new byte[9], null);
    DeadLetter back = roundTrip(LetterCodec.INSTANCE, letter);
    assertThat(back.reason()).hasSize(1_000);
    assertThat(back.bytes()).hasSize(9);
    assertThat(back.trace()).isNull();
    byte[] good = LetterCodec.INSTANCE.encode(letter);
    for (int length = 0; length < good.length - 9; length += 7) {
      byte[] cut = java.util.Arrays.copyOf(good, length);
      assertThatThrownBy(() -> LetterCodec.INSTANCE.decode(cut)).isInstanceOf(CodecException.class);
    }
  }
}
