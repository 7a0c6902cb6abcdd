package golang.chans;

import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Chan;
import org.junit.jupiter.api.Test;

class GoroutinesTest extends GoProgram {
  private static final int COUNT = 10_000;

  /** A number passes through many goroutines, which all wait for it at the same time. */
  @Test
  void longChain() throws Exception {
    program(
        () -> {
          Chan<Integer> leftmost = Chan.make();
          Chan<Integer> end = leftmost;
          for (int i = 0; i < COUNT; i++) {
            end = link(end);
          }
          Chan<Integer> rightmost = end;
          go(() -> rightmost.send(0));
          assertThat(leftmost.receive()).isEqualTo(COUNT);
        });
  }

  private Chan<Integer> link(Chan<Integer> left) {
    Chan<Integer> right = Chan.make();
    go(() -> left.send(right.receive() + 1));
    return right;
  }
}
