package io.heddle.cli.screen;

import java.io.Console;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;

/**
 * The output of a command: lines of at most 80 columns, with colours and moving lines only on a
 * terminal, and with characters that the output's encoding has.
 */
public final class Screen {
  private static final String ERASE_LINE = "\r\u001b[K";
  private static final String HOME = "\u001b[H";
  private static final String ERASE_REST_OF_LINE = "\u001b[K";
  private static final String ERASE_REST = "\u001b[J";

  private final PrintWriter out;
  private final boolean terminal;
  private final boolean colours;
  private final boolean blocks;

  private Screen(PrintWriter out, boolean terminal, boolean colours, boolean blocks) {
    this.out = out;
    this.terminal = terminal;
    this.colours = colours;
    this.blocks = blocks;
  }

  public static Screen ofStandardOutput() {
    Charset charset = System.out.charset();
    PrintWriter out = new PrintWriter(System.out, true, charset);
    Console console = System.console();
    boolean terminal = console != null && console.isTerminal();
    return of(out, charset, terminal, System.getenv());
  }

  /**
   * Creates a screen. {@code terminal} says whether the output is a terminal. {@code NO_COLOR}
   * (no-color.org: set and not empty) switches colours off. A dumb terminal has neither colours nor
   * moving lines, because it cannot erase a line.
   */
  public static Screen of(
      PrintWriter out, Charset charset, boolean terminal, Map<String, String> environment) {
    boolean moves = terminal && !"dumb".equals(environment.get("TERM"));
    boolean colours = moves && environment.getOrDefault("NO_COLOR", "").isEmpty();
    return new Screen(out, moves, colours, charset.newEncoder().canEncode('█'));
  }

  public PrintWriter out() {
    return out;
  }

  public boolean hasColours() {
    return colours;
  }

  /** Whether a line can be redrawn in place. */
  public boolean isAnimated() {
    return terminal;
  }

  public void line(String text) {
    out.println(text);
    out.flush();
  }

  public void blank() {
    line("");
  }

  public void heading(String text) {
    blank();
    line(bold(text));
  }

  /** Prints program text, indented and coloured. */
  public void code(String text) {
    text.lines().forEach(line -> line(line.isEmpty() ? "" : "    " + cyan(line)));
  }

  /**
   * Replaces the current moving line; the caller must end it with {@link #eraseMoving}. Does
   * nothing unless the output is a terminal.
   */
  public void moving(String text) {
    if (terminal) {
      out.print(ERASE_LINE + text);
      out.flush();
    }
  }

  public void eraseMoving() {
    if (terminal) {
      out.print(ERASE_LINE);
      out.flush();
    }
  }

  /** Redraws the whole page; only for a terminal. */
  public void page(List<String> lines) {
    StringBuilder text = new StringBuilder(HOME);
    lines.forEach(line -> text.append(line).append(ERASE_REST_OF_LINE).append('\n'));
    out.print(text.append(ERASE_REST));
    out.flush();
  }

  /**
   * A bar for {@code part} of {@code whole}, padded to {@code width} columns; at least one column
   * if {@code part} is above zero.
   */
  public String bar(double part, double whole, int width) {
    int length = whole <= 0 ? 0 : (int) Math.round(width * Math.clamp(part / whole, 0, 1));
    int filled = part > 0 ? Math.max(1, length) : 0;
    return green((blocks ? "█" : "#").repeat(filled)) + " ".repeat(width - filled);
  }

  public String bold(String text) {
    return in("1", text);
  }

  public String dim(String text) {
    return in("2", text);
  }

  public String green(String text) {
    return in("32", text);
  }

  public String red(String text) {
    return in("31", text);
  }

  private String cyan(String text) {
    return in("36", text);
  }

  private String in(String code, String text) {
    return colours && !text.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
