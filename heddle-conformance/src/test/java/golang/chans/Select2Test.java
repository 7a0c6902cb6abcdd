package golang.chans;

import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Case;
import io.heddle.Chan;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class Select2Test extends GoProgram {
  private static final int COUNT = 2_000;

  /** Each losing case must become garbage, although its channel lives on. */
  @Test
  void losersLeaveNothingBehind() throws Exception {
    program(
        () -> {
          Chan<Integer> c = Chan.make();
          Chan<Integer> silent = Chan.make();
          go(() -> sendMany(c));
          List<WeakReference<Object>> losers = receiveMany(c, silent);
          while (losers.stream().anyMatch(each -> each.get() != null)) {
            System.gc();
          }
          Reference.reachabilityFence(silent);
        });
  }

  private static void sendMany(Chan<Integer> c) throws InterruptedException {
    for (int i = 0; i < COUNT; i++) {
      c.send(i);
    }
  }

  private static List<WeakReference<Object>> receiveMany(Chan<Integer> c, Chan<Integer> silent)
      throws InterruptedException {
    List<WeakReference<Object>> losers = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      Case<Integer> received = recv(c);
      Case<Integer> loser = recv(silent);
      assertThat(select(received, loser)).isSameAs(received);
      assertThat(received.value()).isEqualTo(i);
      losers.add(new WeakReference<>(loser));
    }
    return losers;
  }
}
