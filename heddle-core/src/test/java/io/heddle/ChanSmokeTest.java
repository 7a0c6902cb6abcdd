package io.heddle;

import static io.heddle.Select.*;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@HangGuard
class ChanSmokeTest {
  @Test
  void pingPong() throws Exception {
    try (Scheduler s = Scheduler.builder().procs(2).build()) {
      s.run(
          () -> {
            Chan<Integer> a = Chan.make();
            Chan<Integer> b = Chan.make(3);
            Go.go(
                () -> {
                  for (int v : a) {
                    b.send(v + 1);
                  }
                  b.close();
                });
            List<Integer> got = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
              a.send(i);
              got.add(b.receive());
            }
            a.close();
            assertThat(b.receive()).isNull();
            assertThat(got).hasSize(1000).startsWith(1, 2, 3);
          });
    }
  }

  @Test
  void selects() throws Exception {
    try (Scheduler s = Scheduler.builder().procs(2).build()) {
      s.run(
          () -> {
            Chan<Integer> a = Chan.make();
            Chan<Integer> b = Chan.make();
            Chan<Integer> out = Chan.make();
            Go.go(
                () -> {
                  for (int i = 0; i < 500; i++) a.send(i);
                });
            Go.go(
                () -> {
                  for (int i = 0; i < 500; i++) b.send(i);
                });
            Go.go(
                () -> {
                  for (int i = 0; i < 500; i++) out.receive();
                });
            int[] counts = new int[3];
            Case<?>[] cases = {
              recv(a, v -> counts[0]++), recv(b, v -> counts[1]++), send(out, 1, () -> counts[2]++)
            };
            for (int i = 0; i < 1500; i++) {
              select(cases);
            }
            assertThat(counts).containsExactly(500, 500, 500);
            Case<?> t = after(Duration.ofMillis(5));
            assertThat(select(recv(a), t)).isSameAs(t);
            Case<?> e = orElse();
            assertThat(select(recv(a), e)).isSameAs(e);
          });
    }
  }
}
