package io.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkerPoolTest {
  @Test
  void findsAHashAndEnds() throws Exception {
    List<String> lines = Example.of("WorkerPool").run().lines();
    assertThat(lines).hasSize(2).endsWith("4 workers have gone home");
    String[] found = lines.getFirst().split(" ");
    assertThat(found[0]).matches("heddle[0-9]+");
    assertThat(found[1]).isEqualTo(sha256(found[0])).startsWith("0000");
  }

  @Test
  void refusesAWrongArgument() throws Exception {
    Example.of("WorkerPool", "7").run().isRefused("How many zeros? A number from 1 to 6, not: 7");
  }

  private static String sha256(String text) throws Exception {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }
}
