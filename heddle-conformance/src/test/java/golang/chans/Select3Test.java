package golang.chans;

import static io.heddle.Select.orElse;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static io.heddle.Select.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import golang.GoProgram;
import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.ClosedChanException;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.Task;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Which operations wait and which do not. Go's nil channel is a null channel in a select here. */
class Select3Test extends GoProgram {
  private static final Chan<Integer> NULL = null;

  @Test
  void nullChannelBlocks() throws Exception {
    blocks("select", () -> select(send(NULL, 7)));
    blocks("select", () -> select(recv(NULL)));
    blocks("select", () -> select(recv(NULL), send(NULL, 7)));
  }

  @Test
  void nullChannelIsNeverSelected() throws Exception {
    Case<Void> otherwise = orElse();
    doesNotBlock(
        () -> {
          assertThat(select(send(NULL, 7), otherwise)).isSameAs(otherwise);
          assertThat(select(recv(NULL), otherwise)).isSameAs(otherwise);
        });
  }

  @Test
  void sendWithRoomDoesNotBlock() throws Exception {
    doesNotBlock(() -> Chan.<Integer>make(1).send(7));
  }

  @Test
  void receiveFromClosedDoesNotBlock() throws Exception {
    Chan<Integer> c = closed();
    doesNotBlock(
        () -> {
          for (int i = 0; i < 10; i++) {
            assertThat(c.receive()).isNull();
          }
        });
  }

  @Test
  void sendToClosedFails() throws Exception {
    Chan<Integer> c = closed();
    doesNotBlock(
        () -> {
          assertThatThrownBy(() -> c.send(7)).isInstanceOf(ClosedChanException.class);
          assertThatThrownBy(() -> select(send(c, 7))).isInstanceOf(ClosedChanException.class);
          assertThatThrownBy(() -> select(send(c, 7), orElse()))
              .isInstanceOf(ClosedChanException.class);
        });
  }

  @Test
  void receiveFromEmptyBlocks() throws Exception {
    blocks("chan receive", () -> Chan.make().receive());
    blocks("chan receive", () -> Chan.make(1).receive());
  }

  @Test
  void emptySelectBlocks() throws Exception {
    blocks("select", () -> select());
  }

  @Test
  void selectOfUnreadyBlocks() throws Exception {
    blocks("select", () -> select(recv(Chan.make())));
    blocks("select", () -> select(send(Chan.make(), 7)));
  }

  @Test
  void defaultDoesNotBlock() throws Exception {
    Case<Void> otherwise = orElse();
    doesNotBlock(
        () -> {
          assertThat(select(otherwise)).isSameAs(otherwise);
          assertThat(select(recv(Chan.make()), otherwise)).isSameAs(otherwise);
          assertThat(select(send(Chan.make(), 7), otherwise)).isSameAs(otherwise);
        });
  }

  @Test
  void readyIsPreferredToDefault() throws Exception {
    Chan<Integer> c = Chan.make(1);
    Case<Integer> sent = send(c, 7);
    Case<Integer> received = recv(c);
    doesNotBlock(
        () -> {
          assertThat(select(sent, orElse())).isSameAs(sent);
          assertThat(select(orElse(), received)).isSameAs(received);
          assertThat(received.value()).isEqualTo(7);
        });
  }

  @Test
  void closedIsReadyInSelect() throws Exception {
    Case<Integer> received = recv(closed());
    doesNotBlock(
        () -> {
          assertThat(select(received)).isSameAs(received);
          assertThat(received.value()).isNull();
          assertThat(select(received, orElse())).isSameAs(received);
        });
  }

  @Test
  void selectDoesNotMeetItself() throws Exception {
    Chan<Integer> c = Chan.make();
    blocks("select", () -> select(send(c, 1), recv(c)));
    blocks("select", () -> select(recv(c), send(c, 1)));
  }

  private static Chan<Integer> closed() {
    Chan<Integer> c = Chan.make();
    c.close();
    return c;
  }

  /** Waits, and still waits after others had their turn; only an interrupt ends it. */
  private void blocks(String reason, Task task) throws Exception {
    AtomicReference<Throwable> end = new AtomicReference<>();
    program(
        () -> {
          Goroutine g = untilWaiting(go(() -> end.set(caught(task))), reason);
          for (int i = 0; i < 10; i++) {
            Go.gosched();
          }
          assertThat(g.waitReason()).isEqualTo(reason);
          g.interrupt();
        });
    assertThat(end.get()).isInstanceOf(InterruptedException.class);
  }

  private static Throwable caught(Task task) {
    try {
      task.run();
      return new AssertionError("it did not block");
    } catch (Throwable t) {
      return t;
    }
  }

  private void doesNotBlock(Task task) throws Exception {
    program(task);
  }
}
