package golang.ken;

import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static io.heddle.Select.send;
import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Goroutine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Sequences of numbers over many channels: by sends, receives and selects of eight cases, all at
 * once.
 */
class ChanTest extends GoProgram {
  private static final int COUNT = 76;

  /** A channel and the progress of both sides. Each side is used by one goroutine. */
  private static final class Line {
    private final Chan<Integer> c;
    private int sent;
    private int received;

    Line(int capacity) {
      c = Chan.make(capacity);
    }

    Case<?> toSend() {
      return sent == COUNT ? send(null, 0) : send(c, sent, () -> sent++);
    }

    Case<?> toReceive() {
      return recv(received == COUNT ? null : c, this::got);
    }

    void got(Integer v) {
      assertThat(v).isEqualTo(received);
      received++;
    }
  }

  @FunctionalInterface
  private interface Net {
    List<List<Goroutine>> over(List<Line> lines);
  }

  @Test
  void sendToReceive() throws Exception {
    test(4, lines -> List.of(senders(lines), receivers(lines)));
  }

  @Test
  void sendToSelect() throws Exception {
    test(4, lines -> List.of(senders(lines), selects(lines, List.of())));
  }

  @Test
  void selectToReceive() throws Exception {
    test(4, lines -> List.of(selects(List.of(), lines), receivers(lines)));
  }

  @Test
  void selectToSelect() throws Exception {
    test(4, lines -> List.of(selects(List.of(), lines), selects(lines, List.of())));
  }

  @Test
  void selectsBothWays() throws Exception {
    test(
        8,
        lines -> {
          List<Line> there = lines.subList(0, 4);
          List<Line> back = lines.subList(4, 8);
          return List.of(selects(back, there), selects(there, back));
        });
  }

  @Test
  void selectsBetweenSendersAndReceivers() throws Exception {
    test(
        12,
        lines -> {
          List<Line> in = lines.subList(0, 4);
          List<Line> between = lines.subList(4, 8);
          List<Line> out = lines.subList(8, 12);
          return List.of(senders(in), selects(in, between), selects(between, out), receivers(out));
        });
  }

  private void test(int count, Net net) throws Exception {
    for (int capacity : new int[] {0, 1, 10, 100}) {
      program(
          () -> {
            List<Line> lines = Stream.generate(() -> new Line(capacity)).limit(count).toList();
            for (Goroutine g : net.over(lines).stream().flatMap(List::stream).toList()) {
              g.join();
            }
            assertThat(lines).allMatch(line -> line.sent == COUNT && line.received == COUNT);
          });
    }
  }

  private List<Goroutine> senders(List<Line> lines) {
    return lines.stream().map(line -> go(() -> sendAll(line))).toList();
  }

  private static void sendAll(Line line) throws InterruptedException {
    for (; line.sent < COUNT; line.sent++) {
      dawdle();
      line.c.send(line.sent);
    }
  }

  private List<Goroutine> receivers(List<Line> lines) {
    return lines.stream().map(line -> go(() -> receiveAll(line))).toList();
  }

  private static void receiveAll(Line line) throws InterruptedException {
    while (line.received < COUNT) {
      dawdle();
      line.got(line.c.receive());
    }
  }

  private List<Goroutine> selects(List<Line> in, List<Line> out) {
    return List.of(go(() -> selectAll(in, out)));
  }

  private static void selectAll(List<Line> in, List<Line> out) throws InterruptedException {
    for (int i = 0; i < COUNT * (in.size() + out.size()); i++) {
      dawdle();
      List<Case<?>> cases = new ArrayList<>();
      in.forEach(line -> cases.add(line.toReceive()));
      out.forEach(line -> cases.add(line.toSend()));
      select(cases.toArray(Case<?>[]::new));
    }
  }

  private static void dawdle() {
    for (int i = ThreadLocalRandom.current().nextInt(5); i > 0; i--) {
      Go.gosched();
    }
  }
}
