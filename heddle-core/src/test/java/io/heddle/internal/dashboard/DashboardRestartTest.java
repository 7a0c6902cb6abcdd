package io.heddle.internal.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.HangGuard;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The dashboard's stream when its process ends and starts again. */
@HangGuard
class DashboardRestartTest {
  @Test
  void streamEndsAndNextStreamIdentifiesTheNewProcess() throws Exception {
    Object before;
    int port;
    try (LivelyProcess first = new LivelyProcess(0)) {
      port = first.port();
      try (RawHttpClient stream = RawHttpClient.openStream(port, "/api/stream")) {
        before = stream.next("hello").json().get("started");
        stream.next("sample");
        first.close();
        assertThatThrownBy(() -> stream.next("never")).isInstanceOf(IOException.class);
      }
    }
    try (LivelyProcess _ = new LivelyProcess(port);
        RawHttpClient stream = RawHttpClient.openStream(port, "/api/stream")) {
      assertThat(stream.next("hello").json().get("started")).isNotEqualTo(before);
      assertThat(stream.next("sample").json()).containsEntry("name", "shared");
    }
  }
}
