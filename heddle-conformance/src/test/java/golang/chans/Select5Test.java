package golang.chans;

import static io.heddle.Select.orElse;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static io.heddle.Select.send;
import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Case;
import io.heddle.Chan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * One ready case among all combinations of cases that are not ready, with and without a default.
 */
class Select5Test extends GoProgram {
  private static final int COMBINATIONS = 1 << 5;

  private final List<String> wrong = new ArrayList<>();

  @Test
  void receives() throws Exception {
    program(
        () -> {
          for (int i = 0; i < COMBINATIONS; i++) {
            receiveAmong(i);
          }
        });
  }

  private void receiveAmong(int combination) throws InterruptedException {
    Chan<Integer> c = Chan.make(1);
    for (int at = 0; at <= others(combination).size(); at++) {
      c.send(at);
      List<Integer> got = new ArrayList<>();
      Case<Integer> received = recv(c, got::add);
      assertThat(selectWith(combination, at, received)).isSameAs(received);
      assertThat(got).containsExactly(at);
      assertThat(wrong).isEmpty();
    }
  }

  @Test
  void sends() throws Exception {
    program(
        () -> {
          for (int i = 0; i < COMBINATIONS; i++) {
            sendAmong(i);
          }
        });
  }

  private void sendAmong(int combination) throws InterruptedException {
    Chan<Integer> c = Chan.make(1);
    for (int at = 0; at <= others(combination).size(); at++) {
      Case<Integer> sent = send(c, at);
      assertThat(selectWith(combination, at, sent)).isSameAs(sent);
      assertThat(c.tryReceive()).isEqualTo(at);
      assertThat(wrong).isEmpty();
    }
  }

  @Test
  void nonblock() throws Exception {
    program(
        () -> {
          for (int i = 0; i < COMBINATIONS; i++) {
            defaultAmong(i);
          }
        });
  }

  private void defaultAmong(int combination) throws InterruptedException {
    int withoutDefault = combination & ~1;
    for (int at = 0; at <= others(withoutDefault).size(); at++) {
      Case<Void> otherwise = orElse();
      assertThat(selectWith(withoutDefault, at, otherwise)).isSameAs(otherwise);
      assertThat(wrong).isEmpty();
    }
  }

  private Case<?> selectWith(int combination, int at, Case<?> real) throws InterruptedException {
    List<Case<?>> cases = others(combination);
    cases.add(at, real);
    return select(cases.toArray(Case<?>[]::new));
  }

  private List<Case<?>> others(int combination) {
    List<Case<?>> cases = new ArrayList<>();
    Chan<Integer> silent = Chan.make();
    Consumer<String> says = wrong::add;
    addIf(combination, 0, cases, orElse(() -> says.accept("default")));
    addIf(combination, 1, cases, send(silent, 1, () -> says.accept("send")));
    addIf(combination, 2, cases, recv(silent, v -> says.accept("receive")));
    addIf(combination, 3, cases, send(null, 1, () -> says.accept("send to null")));
    addIf(combination, 4, cases, recv(null, v -> says.accept("receive from null")));
    return cases;
  }

  private static void addIf(int combination, int bit, List<Case<?>> cases, Case<?> each) {
    if ((combination >> bit & 1) != 0) {
      cases.add(each);
    }
  }
}
