package golang.chans;

import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Chan;
import org.junit.jupiter.api.Test;

class FifoTest extends GoProgram {
  private static final int COUNT = 10;

  @Test
  void asynchronous() throws Exception {
    program(
        () -> {
          Chan<Integer> c = Chan.make(COUNT);
          for (int i = 0; i < COUNT; i++) {
            c.send(i);
          }
          for (int i = 0; i < COUNT; i++) {
            assertThat(c.receive()).isEqualTo(i);
          }
        });
  }

  /** Each receiver waits for its turn, which the previous one passes on. */
  @Test
  void synchronous() throws Exception {
    program(
        () -> {
          Chan<Integer> c = Chan.make();
          Chan<Boolean> first = Chan.make();
          Chan<Boolean> turn = first;
          for (int i = 0; i < COUNT; i++) {
            turn = receiveInTurn(c, i, turn);
          }
          first.send(true);
          for (int i = 0; i < COUNT; i++) {
            c.send(i);
          }
          assertThat(turn.receive()).isTrue();
        });
  }

  private Chan<Boolean> receiveInTurn(Chan<Integer> c, int expected, Chan<Boolean> turn) {
    Chan<Boolean> next = Chan.make();
    go(
        () -> {
          turn.receive();
          assertThat(c.receive()).isEqualTo(expected);
          next.send(true);
        });
    return next;
  }

  /** The sender side: waiting senders are served in FIFO order. */
  @Test
  void sendersInLine() throws Exception {
    program(
        () -> {
          Chan<Integer> c = Chan.make();
          for (int i = 0; i < COUNT; i++) {
            int v = i;
            untilWaiting(go(() -> c.send(v)), "chan send");
          }
          for (int i = 0; i < COUNT; i++) {
            assertThat(c.receive()).isEqualTo(i);
          }
        });
  }
}
