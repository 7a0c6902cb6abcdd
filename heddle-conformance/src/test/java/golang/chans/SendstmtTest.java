package golang.chans;

import static io.heddle.Select.orElse;
import static io.heddle.Select.select;
import static io.heddle.Select.send;
import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Case;
import io.heddle.Chan;
import org.junit.jupiter.api.Test;

class SendstmtTest extends GoProgram {
  /** The channel to send to is itself received from a channel. */
  @Test
  void chanchan() throws Exception {
    program(
        () -> {
          Chan<Chan<Integer>> cc = Chan.make(1);
          Chan<Integer> c = Chan.make(1);
          cc.send(c);
          Case<Integer> sent = send(cc.receive(), 2);
          assertThat(select(sent, orElse())).isSameAs(sent);
          assertThat(c.receive()).isEqualTo(2);
        });
  }
}
