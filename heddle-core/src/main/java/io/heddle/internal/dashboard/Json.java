package io.heddle.internal.dashboard;

import org.jspecify.annotations.Nullable;

/** Writes JSON, value after value, and inserts the commas. */
final class Json {
  private final StringBuilder out = new StringBuilder(1024);

  Json open(char bracket) {
    separate();
    out.append(bracket);
    return this;
  }

  Json close(char bracket) {
    out.append(bracket);
    return this;
  }

  Json key(String key) {
    separate();
    quote(key);
    out.append(':');
    return this;
  }

  Json value(@Nullable String text) {
    separate();
    if (text == null) {
      out.append("null");
    } else {
      quote(text);
    }
    return this;
  }

  Json value(long number) {
    separate();
    out.append(number);
    return this;
  }

  Json value(boolean truth) {
    separate();
    out.append(truth);
    return this;
  }

  /** Appends {@code written}, which is JSON already. */
  Json raw(String written) {
    separate();
    out.append(written);
    return this;
  }

  Json field(String key, @Nullable String text) {
    return key(key).value(text);
  }

  Json field(String key, long number) {
    return key(key).value(number);
  }

  Json field(String key, boolean truth) {
    return key(key).value(truth);
  }

  @Override
  public String toString() {
    return out.toString();
  }

  private void separate() {
    int n = out.length();
    if (n > 0 && "{[:".indexOf(out.charAt(n - 1)) < 0) {
      out.append(',');
    }
  }

  private void quote(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c) || c == '\u2028' || c == '\u2029') {
        out.append("\\u%04x".formatted((int) c)); // a lone surrogate has no UTF-8 encoding
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
