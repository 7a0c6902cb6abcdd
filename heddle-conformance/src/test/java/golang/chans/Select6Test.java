package golang.chans;

import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.Goroutine;
import org.junit.jupiter.api.Test;

class Select6Test extends GoProgram {
  /** A select was last in a queue and has left it; later waiters of the queue are still woken. */
  @Test
  void leavingTheEndOfAQueueLosesNoWaiter() throws Exception {
    program(
        () -> {
          Chan<Boolean> crowded = Chan.make();
          Chan<Boolean> other = Chan.make();
          Chan<Boolean> left = Chan.make();
          Goroutine first = untilWaiting(go(crowded::receive), "chan receive");
          untilWaiting(go(() -> selectThenReceive(crowded, other, left)), "select");
          other.send(true);
          left.receive();
          crowded.send(true);
          first.join();
          crowded.send(true);
        });
  }

  private static void selectThenReceive(
      Chan<Boolean> crowded, Chan<Boolean> other, Chan<Boolean> left) throws InterruptedException {
    Case<Boolean> fromOther = recv(other);
    assertThat(select(recv(crowded), fromOther)).isSameAs(fromOther);
    left.send(true);
    crowded.receive();
  }
}
