package golang.chans;

import static io.heddle.Select.select;
import static io.heddle.Select.send;
import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Chan;
import io.heddle.WaitGroup;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DoubleselectTest extends GoProgram {
  private static final int COUNT = 20_000;

  /** If a select executed two of its cases, a number would be sent twice. */
  @Test
  void oneSelectSendsOnce() throws Exception {
    program(
        () -> {
          List<Chan<Integer>> ways = Stream.generate(Chan::<Integer>make).limit(4).toList();
          Chan<Integer> out = Chan.make();
          go(() -> sendEachSomewhere(ways));
          WaitGroup forwarders = new WaitGroup();
          for (Chan<Integer> way : ways) {
            forwarders.add(1);
            go(() -> forward(way, out, forwarders));
          }
          go(
              () -> {
                forwarders.await();
                out.close();
              });
          BitSet seen = new BitSet();
          for (int i : out) {
            assertThat(seen.get(i)).as("%s was there already", i).isFalse();
            seen.set(i);
          }
          assertThat(seen.cardinality()).isEqualTo(COUNT);
        });
  }

  private static void sendEachSomewhere(List<Chan<Integer>> ways) throws InterruptedException {
    for (int i = 0; i < COUNT; i++) {
      select(
          send(ways.get(0), i), send(ways.get(1), i), send(ways.get(2), i), send(ways.get(3), i));
    }
    ways.forEach(Chan::close);
  }

  private static void forward(Chan<Integer> from, Chan<Integer> to, WaitGroup forwarders)
      throws InterruptedException {
    for (int i : from) {
      to.send(i);
    }
    forwarders.done();
  }
}
