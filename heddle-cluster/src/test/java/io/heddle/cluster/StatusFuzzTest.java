package io.heddle.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.cluster.ClusterStatus.TaskStatus;
import io.heddle.cluster.StatusAnswers.Page;
import io.heddle.cluster.StatusAnswers.Report;
import io.heddle.cluster.local.LocalHub;
import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.LogSpec.Storage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys, answers and messages that no node of this version wrote: none of them breaks a node. */
@Timeout(120)
class StatusFuzzTest {
  private static final int TIMES = 2_000 * Integer.getInteger("heddle.fuzz.times", 1);
  private static final long SEED = Long.getLong("heddle.fuzz.seed", 1);

  private static final byte[] SETTINGS =
      new ChannelSettings(10, 2, 1_000, Storage.ANY, 1, 2_000, "string", false).encode();
  private static final byte[] MEMBER =
      Codec.json(Member.class)
          .encode(new Member("b-1", "b", "box", 7, "25", 2, 3, 1, Instant.EPOCH));
  private static final byte[] PAGE =
      Codec.json(Page.class)
          .encode(
              new Page(
                  List.of(new Report("orders", ChannelStats.NONE)),
                  List.of(new TaskStatus("a.1", "work", "a", "b", Duration.ofSeconds(1))),
                  true));

  /** Changes bytes, cuts, or takes a property of the JSON away, so that it is missing or null. */
  private static byte[] changed(byte[] good, Random random) {
    String json = new String(good, StandardCharsets.UTF_8);
    switch (random.nextInt(4)) {
      case 0 -> {
        String[] parts = json.split(",");
        int i = random.nextInt(parts.length);
        parts[i] =
            parts[i].replaceFirst(
                "\"[a-zA-Z]+\":[^\\[{}\\]]+", random.nextBoolean() ? "\"x\":1" : "\"x\":null");
        return String.join(",", parts).getBytes(StandardCharsets.UTF_8);
      }
      case 1 -> {
        String[] values = {"null", "-1", "0", "9999999999999", "\"\"", "[]", "[null]", "{}"};
        String value = values[random.nextInt(values.length)];
        List<String> parts = new ArrayList<>(Arrays.asList(json.split("(?<=:)")));
        int i = 1 + random.nextInt(parts.size() - 1);
        parts.set(i, parts.get(i).replaceFirst("^(\"[^\"]*\"|[^,\\[{}\\]]+|\\[.*\\])", value));
        return String.join("", parts).getBytes(StandardCharsets.UTF_8);
      }
      case 2 -> {
        byte[] bytes = Arrays.copyOf(good, random.nextInt(good.length + 1));
        for (int k = random.nextInt(4); k > 0 && bytes.length > 0; k--) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
      }
      default -> {
        return "null".getBytes(StandardCharsets.UTF_8);
      }
    }
  }

  private static void set(Engine engine, String key, byte[] value) throws InterruptedException {
    var now = engine.registry().get(key);
    if (now == null) {
      assertThat(engine.registry().create(key, value, null)).isPresent();
    } else {
      assertThat(engine.registry().replace(key, value, now.revision(), null)).isPresent();
    }
  }

  @Test
  void statusAndChannelsSurviveKeysThatAnythingHasWritten() throws Exception {
    Random random = new Random(SEED);
    LocalHub hub = new LocalHub();
    try (Engine raw = hub.connect("fuzz", "raw");
        Cluster a = Cluster.open(hub.connect("fuzz", "a"), ClusterOptions.defaults().node("a"))) {
      RemoteChan<String> good = a.chan("good", String.class).open();
      int unreadable = 0;
      for (int i = 0; i < TIMES / 10; i++) {
        set(raw, "chan.orders", changed(SETTINGS, random));
        set(raw, "node.b-1", changed(MEMBER, random));
        ClusterStatus status = a.status();
        unreadable += status.channels().size() == 1 ? 1 : 0;
        assertThat(status.channels()).anyMatch(each -> each.name().equals("good"));
        assertThat(a.members()).anyMatch(each -> each.id().equals(a.id()));
      }
      assertThat(unreadable).isBetween(TIMES / 100, TIMES / 10 - 1);
      set(raw, "chan.good", "no settings".getBytes(StandardCharsets.UTF_8));
      good.send("the watcher was told of that, and goes on");
      assertThat(good.isClosed()).isFalse();
      set(raw, "chan.orders", "{}".getBytes(StandardCharsets.UTF_8));
      assertThatThrownBy(() -> a.chan("orders", String.class).open())
          .isInstanceOf(ClusterException.class)
          .hasMessageContaining("channel orders")
          .hasMessageContaining("chan.orders")
          .hasMessageContaining("local");
      set(raw, "sem.slots.holders", "{\"permits\":3}".getBytes(StandardCharsets.UTF_8));
      assertThatThrownBy(() -> a.semaphore("slots", 3).acquire(1))
          .isInstanceOf(ClusterException.class)
          .hasMessageContaining("sem.slots.holders");
    }
  }

  @Test
  void answersOfMembersAreReadOrCountAsNone() throws Exception {
    Random random = new Random(SEED);
    LocalHub hub = new LocalHub();
    AtomicReference<byte[]> answer = new AtomicReference<>(PAGE);
    try (Engine raw = hub.connect("fuzz", "raw");
        Cluster a = Cluster.open(hub.connect("fuzz", "a"), ClusterOptions.defaults().node("a"))) {
      set(raw, "node.b-1", MEMBER);
      var _ =
          raw.wire().listen(StatusAnswers.subject("b-1"), (_, reply) -> reply.send(answer.get()));
      int answered = 0;
      for (int i = 0; i < TIMES / 10; i++) {
        answer.set(changed(PAGE, random));
        answered += (int) a.status().members().stream().filter(m -> m.hasAnswered()).count() - 1;
      }
      assertThat(answered).as("complete answers").isBetween(0, TIMES / 10 - 1);
      answer.set(PAGE); // the same page for ever, which says that there is more
      assertThat(a.status().members()).anyMatch(each -> !each.hasAnswered());
    }
  }

  @Test
  void messagesOfTasksHaveAllPartsOrAreRefused() {
    Random random = new Random(SEED);
    List<byte[]> good =
        List.of(
            TaskMessages.encode(new TaskMessages.Claim("a.1", "b", "b.7")),
            TaskMessages.encode(new TaskMessages.End("a.1", "b", false, new byte[3], "", "")));
    int refused = 0;
    for (int i = 0; i < TIMES; i++) {
      byte[] message = good.get(random.nextInt(2));
      byte[] json = changed(Arrays.copyOfRange(message, 1, message.length), random);
      byte[] bytes = new byte[json.length + 1];
      bytes[0] = message[0];
      System.arraycopy(json, 0, bytes, 1, json.length);
      try {
        switch (TaskMessages.decode(bytes)) {
          case TaskMessages.Claim c ->
              assertThat(List.of(c.task(), c.node(), c.nonce())).hasSize(3);
          case TaskMessages.End e ->
              assertThat(List.of(e.task(), e.node(), e.result(), e.thrown(), e.stack())).hasSize(5);
        }
      } catch (CodecException e) {
        refused++;
      }
    }
    assertThat(refused).isBetween(TIMES / 2, TIMES - 1);
  }
}
