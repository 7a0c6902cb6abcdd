package io.heddle.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Colours, moving lines and block characters appear only where the output supports them. */
class ScreenTest {
  private static final Map<String, String> XTERM = Map.of("TERM", "xterm");

  private final StringWriter out = new StringWriter();

  @Test
  void terminalHasColoursAndMovingLines() {
    Screen screen = screen(true, XTERM);
    screen.moving("one");
    screen.moving("two");

    assertThat(screen.hasColours()).isTrue();
    assertThat(screen.isAnimated()).isTrue();
    assertThat(screen.bold("x")).isEqualTo("\u001b[1mx\u001b[0m");
    assertThat(out.toString()).isEqualTo("\r\u001b[Kone\r\u001b[Ktwo");
  }

  @Test
  void fileHasNeither() {
    Screen screen = screen(false, XTERM);
    screen.moving("one");
    screen.eraseMoving();
    screen.heading("two");

    assertThat(screen.hasColours()).isFalse();
    assertThat(screen.isAnimated()).isFalse();
    assertThat(out.toString()).isEqualToNormalizingNewlines("\ntwo\n");
  }

  @Test
  void dumbTerminalHasNeither() {
    Screen screen = screen(true, Map.of("TERM", "dumb"));

    assertThat(screen.hasColours()).isFalse();
    assertThat(screen.isAnimated()).isFalse();
  }

  @Test
  void noColorKeepsMovingLines() {
    Screen screen = screen(true, Map.of("TERM", "xterm", "NO_COLOR", "1"));

    assertThat(screen.hasColours()).isFalse();
    assertThat(screen.isAnimated()).isTrue();
    assertThat(screen.red("x")).isEqualTo("x");
  }

  @Test
  void emptyNoColorIsIgnored() {
    assertThat(screen(true, Map.of("TERM", "xterm", "NO_COLOR", "")).hasColours()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"0, ''", "1, #", "50, ###", "100, ######", "200, ######"})
  void barsAreProportionalAndPadded(int part, String bar) {
    Screen screen = screen(StandardCharsets.US_ASCII, false, XTERM);

    assertThat(screen.bar(part, 100, 6)).hasSize(6).isEqualTo("%-6s".formatted(bar));
  }

  @Test
  void barsAreBlocksIfTheEncodingHasThem() {
    assertThat(screen(false, XTERM).bar(1, 1, 3)).isEqualTo("███");
  }

  private Screen screen(boolean terminal, Map<String, String> environment) {
    return screen(StandardCharsets.UTF_8, terminal, environment);
  }

  private Screen screen(Charset charset, boolean terminal, Map<String, String> environment) {
    return Screen.of(new PrintWriter(out), charset, terminal, environment);
  }
}
