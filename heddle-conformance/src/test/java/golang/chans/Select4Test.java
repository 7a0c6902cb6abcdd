package golang.chans;

import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Case;
import io.heddle.Chan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class Select4Test extends GoProgram {
  @Test
  void onlyTheChosenHandlerRuns() throws Exception {
    program(
        () -> {
          Chan<Integer> ready = Chan.make(1);
          ready.send(42);
          List<String> ran = new ArrayList<>();
          Case<Integer> loser = recv(Chan.make(), v -> ran.add("loser"));
          Case<Integer> winner = recv(ready, v -> ran.add("got " + v));
          assertThat(select(loser, winner)).isSameAs(winner);
          assertThat(ran).containsExactly("got 42");
          assertThat(loser.value()).isNull();
        });
  }
}
