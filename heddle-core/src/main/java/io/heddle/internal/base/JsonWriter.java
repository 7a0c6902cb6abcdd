package io.heddle.internal.base;

import org.jspecify.annotations.Nullable;

/**
 * Writes JSON, value after value, and inserts the commas. The text is ASCII. It contains no {@code
 * <}, {@code >} or {@code &}, so a script in an HTML page can contain it.
 *
 * <p>All JSON of Heddle is written by this class: for the dashboard, the trace pages of the
 * command, and the benchmarks.
 */
public final class JsonWriter {
  private final StringBuilder out = new StringBuilder(1024);

  /** Returns {@code text} as a JSON string, in quotes. */
  public static String text(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2);
    quote(text, out);
    return out.toString();
  }

  /** Returns {@code texts} as a JSON array of strings. */
  public static String texts(Iterable<String> texts) {
    JsonWriter array = new JsonWriter().open('[');
    texts.forEach(array::value);
    return array.close(']').toString();
  }

  public JsonWriter open(char bracket) {
    separate();
    out.append(bracket);
    return this;
  }

  public JsonWriter close(char bracket) {
    out.append(bracket);
    return this;
  }

  public JsonWriter key(String key) {
    separate();
    quote(key, out);
    out.append(':');
    return this;
  }

  public JsonWriter value(@Nullable String text) {
    separate();
    if (text == null) {
      out.append("null");
    } else {
      quote(text, out);
    }
    return this;
  }

  public JsonWriter value(long number) {
    separate();
    out.append(number);
    return this;
  }

  public JsonWriter value(boolean truth) {
    separate();
    out.append(truth);
    return this;
  }

  /** Appends {@code written}, which is JSON already. */
  public JsonWriter raw(String written) {
    separate();
    out.append(written);
    return this;
  }

  public JsonWriter field(String key, @Nullable String text) {
    return key(key).value(text);
  }

  public JsonWriter field(String key, long number) {
    return key(key).value(number);
  }

  public JsonWriter field(String key, boolean truth) {
    return key(key).value(truth);
  }

  @Override
  public String toString() {
    return out.toString();
  }

  /** Appends a comma, unless the next value is the first in its brackets or follows a key. */
  private void separate() {
    int n = out.length();
    if (n > 0 && "{[:".indexOf(out.charAt(n - 1)) < 0) {
      out.append(',');
    }
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c > '~' || c == '<' || c == '>' || c == '&') {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
