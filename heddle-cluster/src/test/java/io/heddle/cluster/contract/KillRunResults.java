package io.heddle.cluster.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the files of {@link KillRunNode} say: what was sent, lost, repeated and out of order. */
final class KillRunResults {
  /** When values were confirmed, by sender and number. */
  private final Map<String, Map<Integer, Long>> confirmed = new HashMap<>();

  private final Map<String, BitSet> received = new HashMap<>();
  private final List<String> lost = new ArrayList<>();
  private final List<String> disordered = new ArrayList<>();
  private final List<Long> amnesias;
  private long sent;
  private long delivered;

  /**
   * Reads the files.
   *
   * @param amnesias when the engine has forgotten how often it had handed out what
   */
  KillRunResults(List<Path> produced, List<Path> consumed, List<Long> amnesias) throws IOException {
    this.amnesias = amnesias;
    for (Path file : produced) {
      for (String line : Files.readAllLines(file)) {
        String[] words = line.split(" ");
        sent++;
        confirmed
            .computeIfAbsent(words[0], _ -> new HashMap<>())
            .put(Integer.parseInt(words[1]), Long.parseLong(words[2]));
      }
    }
    for (Path file : consumed) {
      read(file.getFileName().toString(), Files.readAllLines(file));
    }
    confirmed.forEach(
        (sender, numbers) -> {
          BitSet there = received.getOrDefault(sender, new BitSet());
          numbers.keySet().stream()
              .filter(each -> !there.get(each))
              .forEach(each -> lost.add(sender + " " + each));
        });
  }

  private void read(String consumer, List<String> lines) {
    Map<String, Integer> last = new HashMap<>();
    for (String line : lines) {
      String[] words = line.split(" ");
      int number = Integer.parseInt(words[1]);
      delivered++;
      received.computeIfAbsent(words[0], _ -> new BitSet()).set(number);
      boolean isFirst = words[3].equals("1");
      if (isFirst && !mayBeForgotten(words[0], number, Long.parseLong(words[2]))) {
        Integer before = last.put(words[0], number);
        if (before != null && before >= number) {
          disordered.add(consumer + ": " + line + " after " + before);
        }
      }
    }
  }

  /**
   * Whether the engine has forgotten deliveries after it had stored a value and before it delivered
   * it: a repeated delivery then counts as the first.
   */
  private boolean mayBeForgotten(String sender, int number, long deliveredAt) {
    Long storedAt = confirmed.getOrDefault(sender, Map.of()).get(number);
    return amnesias.stream()
        .anyMatch(when -> when - deliveredAt < 0 && (storedAt == null || storedAt - when < 0));
  }

  private long items() {
    return received.values().stream().mapToLong(BitSet::cardinality).sum();
  }

  void check(long minSent) {
    assertThat(sent).as("values between kills").isGreaterThan(minSent);
    assertThat(lost).as("confirmed and never delivered").isEmpty();
    assertThat(disordered).as("order violations among first deliveries").isEmpty();
    assertThat(items()).as("no item from nowhere").isGreaterThanOrEqualTo(sent);
  }

  @Override
  public String toString() {
    return ("%,d sends confirmed, %,d items delivered %,d times (%,d duplicates), %d lost,"
            + " %d order violations among first deliveries")
        .formatted(sent, items(), delivered, delivered - items(), lost.size(), disordered.size());
  }
}
