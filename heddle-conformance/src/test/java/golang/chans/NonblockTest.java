package golang.chans;

import static io.heddle.Select.orElse;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static io.heddle.Select.send;
import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.Go;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Unbuffered and buffered channels of several types, as in Go's test. */
class NonblockTest extends GoProgram {
  private static final List<Object> VALUES = List.of(123, 123_456L, true, "hello");

  @Test
  void emptyGivesNothing() throws Exception {
    program(
        () -> {
          for (int capacity = 0; capacity < 2; capacity++) {
            Chan<Object> c = Chan.make(capacity);
            Case<Void> nothing = orElse();
            assertThat(select(recv(c), nothing)).isSameAs(nothing);
            assertThat(c.tryReceive()).isNull();
          }
        });
  }

  @Test
  void sendToOneThatReceives() throws Exception {
    program(
        () -> {
          for (Object v : VALUES) {
            sendTo(Chan.make(), v);
            sendTo(Chan.make(1), v);
          }
        });
  }

  private void sendTo(Chan<Object> c, Object v) throws InterruptedException {
    Chan<Object> got = Chan.make();
    go(() -> got.send(c.receive()));
    Case<Object> sent = send(c, v);
    while (select(sent, orElse()) != sent) {
      Go.gosched();
    }
    assertThat(got.receive()).isEqualTo(v);

    untilWaiting(go(() -> got.send(c.receive())), "chan receive");
    assertThat(c.trySend(v)).as("at once to one that waits").isTrue();
    assertThat(got.receive()).isEqualTo(v);
  }

  @Test
  void receiveFromOneThatSends() throws Exception {
    program(
        () -> {
          for (Object v : VALUES) {
            receiveFrom(Chan.make(), v);
            receiveFrom(Chan.make(1), v);
          }
        });
  }

  private void receiveFrom(Chan<Object> c, Object v) throws InterruptedException {
    go(() -> c.send(v));
    Case<Object> received = recv(c);
    while (select(received, orElse()) != received) {
      Go.gosched();
    }
    assertThat(received.value()).isEqualTo(v);

    fill(c, v);
    untilWaiting(go(() -> c.send("behind")), "chan send");
    for (int i = 0; i < c.capacity(); i++) {
      assertThat(c.tryReceive()).isEqualTo(v);
    }
    assertThat(c.tryReceive()).as("at once from one that waits").isEqualTo("behind");
  }

  private static void fill(Chan<Object> c, Object v) {
    int count = 0;
    while (c.trySend(v)) {
      count++;
    }
    assertThat(count).isEqualTo(c.capacity());
  }
}
