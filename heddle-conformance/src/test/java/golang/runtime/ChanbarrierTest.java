package golang.runtime;

import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static io.heddle.Select.send;
import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Task;
import org.junit.jupiter.api.Test;

/** The receiver sees a sent object as it was, whatever the collector does meanwhile. */
class ChanbarrierTest extends GoProgram {
  private static final int GOROUTINES = 10;
  private static final int REQUESTS = 300;

  /** Its fields are plain: only the channel orders their writes before the reads. */
  private static final class Answer {
    String text;
    byte[] garbage;

    Answer(int n) {
      text = "answer " + n;
      garbage = new byte[1 << 10];
    }
  }

  @FunctionalInterface
  private interface Sending {
    Task of(int n, Chan<Answer> c);
  }

  @Test
  void chanSendBarrier() throws Exception {
    ask((n, c) -> () -> c.send(new Answer(n)));
  }

  @Test
  void chanSendSelectBarrier() throws Exception {
    ask((n, c) -> () -> select(send(c, new Answer(n)), recv(Chan.make())));
  }

  private void ask(Sending sending) throws Exception {
    program(
        () -> {
          for (int i = 0; i < GOROUTINES; i++) {
            go(() -> askMany(sending));
          }
        });
  }

  private void askMany(Sending sending) throws InterruptedException {
    for (int i = 0; i < REQUESTS; i++) {
      Chan<Answer> c = Chan.make();
      go(sending.of(i, c));
      Answer answer = c.receive();
      Go.gosched();
      assertThat(answer.text).isEqualTo("answer " + i);
      assertThat(answer.garbage).hasSize(1 << 10);
    }
  }
}
