package io.heddle.internal.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.HangGuard;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A process that ends and is started again. */
@HangGuard
class RestartTest {
  @Test
  void theStreamEndsAndAnotherSaysThatItIsAnotherProcess() throws Exception {
    Object before;
    int port;
    try (LivelyProcess first = new LivelyProcess(0)) {
      port = first.port();
      try (Browserless stream = Browserless.listen(port, "/api/stream")) {
        before = stream.next("hello").json().get("started");
        stream.next("sample");
        first.close();
        assertThatThrownBy(() -> stream.next("never")).isInstanceOf(IOException.class);
      }
    }
    try (LivelyProcess _ = new LivelyProcess(port);
        Browserless stream = Browserless.listen(port, "/api/stream")) {
      assertThat(stream.next("hello").json().get("started")).isNotEqualTo(before);
      assertThat(stream.next("sample").json()).containsEntry("name", "shared");
    }
  }
}
