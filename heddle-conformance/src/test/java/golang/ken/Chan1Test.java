package golang.ken;

import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Chan;
import io.heddle.WaitGroup;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class Chan1Test extends GoProgram {
  private static final int MESSAGES = 1_000;
  private static final int RECEIVERS = 10;

  private final AtomicIntegerArray seen = new AtomicIntegerArray(MESSAGES);

  @Test
  void manyReceiversShareWhatIsSent() throws Exception {
    endlessProgram(
        () -> {
          Chan<Integer> c = Chan.make(2);
          WaitGroup all = new WaitGroup();
          all.add(MESSAGES);
          for (int i = 0; i < RECEIVERS; i++) {
            untilWaiting(go(() -> receive(c, all)), "select");
          }
          for (int i = 0; i < MESSAGES; i++) {
            assertThat(seen.getAndSet(i, 1)).as("%s, before it is sent", i).isZero();
            c.send(i);
          }
          all.await();
        });
  }

  private void receive(Chan<Integer> c, WaitGroup all) throws InterruptedException {
    while (true) {
      select(
          recv(
              c,
              i -> {
                assertThat(seen.getAndSet(i, 2)).as("%s, when it is received", i).isEqualTo(1);
                all.done();
              }));
    }
  }
}
