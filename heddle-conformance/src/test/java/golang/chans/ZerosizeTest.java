package golang.chans;

import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Chan;
import org.junit.jupiter.api.Test;

class ZerosizeTest extends GoProgram {
  private record Nothing() {}

  @Test
  void channelsOfNothing() throws Exception {
    program(
        () -> {
          Chan<Nothing> unbuffered = Chan.make();
          Chan<Nothing> buffered = Chan.make(1);
          assertThat(buffered.trySend(new Nothing())).isTrue();
          assertThat(buffered.trySend(new Nothing())).isFalse();
          go(() -> unbuffered.send(new Nothing()));
          assertThat(unbuffered.receive()).isEqualTo(new Nothing());
          assertThat(Chan.<Void>make(1).capacity()).isEqualTo(1);
        });
  }
}
