package golang.chans;

import static io.heddle.Select.orElse;
import static io.heddle.Select.select;
import static io.heddle.Select.send;
import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Case;
import io.heddle.Chan;
import org.junit.jupiter.api.Test;

class SelectTest extends GoProgram {
  private int evaluated;
  private int shift;

  /**
   * The channel that was sent to is set to null; its value is still evaluated each time, and never
   * sent again.
   */
  @Test
  void sendsUntilNothingCanBeSent() throws Exception {
    program(
        () -> {
          Chan<Integer> a = Chan.make(1);
          Chan<Integer> b = Chan.make(1);
          assertThat(sendToBoth(a, b)).isEqualTo(2);
          assertThat(a.receive() | b.receive()).isEqualTo(0b11);
          assertThat(sendToBoth(a, null)).isEqualTo(1);
          assertThat(evaluated).isEqualTo(10);
        });
  }

  private int sendToBoth(Chan<Integer> first, Chan<Integer> second) throws InterruptedException {
    Chan<Integer> a = first;
    Chan<Integer> b = second;
    for (int sent = 0; ; sent++, shift++) {
      Case<Integer> toA = send(a, bit());
      Case<Integer> toB = send(b, bit());
      Case<?> fired = select(toA, toB, orElse());
      if (fired == toA) {
        a = null;
      } else if (fired == toB) {
        b = null;
      } else {
        return sent;
      }
    }
  }

  private int bit() {
    evaluated++;
    return 1 << shift;
  }
}
