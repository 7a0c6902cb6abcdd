package golang.chans;

import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static io.heddle.Select.send;
import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.Goroutine;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every way to send meets every way to receive, with either side waiting first. */
class Select7Test extends GoProgram {
  private record Way(String reason, Use use) {}

  @FunctionalInterface
  private interface Use {
    void of(Chan<Integer> c) throws InterruptedException;
  }

  private static final List<Way> RECEIVES =
      List.of(
          new Way("chan receive", c -> assertThat(c.receive()).isEqualTo(1)),
          new Way("select", c -> receiveAmong(c)),
          new Way("select", c -> receiveAmong(c, recv(Chan.make()))));

  private static final List<Way> SENDS =
      List.of(
          new Way("chan send", c -> c.send(1)),
          new Way("select", c -> select(send(c, 1))),
          new Way("select", c -> select(send(c, 1), send(Chan.make(), 1))));

  @Test
  void sendMeetsWaitingReceive() throws Exception {
    program(() -> meet(RECEIVES, SENDS));
  }

  @Test
  void receiveMeetsWaitingSend() throws Exception {
    program(() -> meet(SENDS, RECEIVES));
  }

  private void meet(List<Way> waiting, List<Way> coming) throws InterruptedException {
    for (Way first : waiting) {
      for (Way second : coming) {
        Chan<Integer> c = Chan.make();
        Goroutine g = untilWaiting(go(() -> first.use.of(c)), first.reason);
        second.use.of(c);
        g.join();
      }
    }
  }

  private static void receiveAmong(Chan<Integer> c, Case<?>... others) throws InterruptedException {
    Case<Integer> received = recv(c);
    Case<?>[] cases = Arrays.copyOf(others, others.length + 1);
    cases[others.length] = received;
    assertThat(select(cases)).isSameAs(received);
    assertThat(received.value()).isEqualTo(1);
  }
}
