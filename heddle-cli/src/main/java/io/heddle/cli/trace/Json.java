package io.heddle.cli.trace;

import java.util.Collection;
import java.util.stream.Collectors;

/** Text in JSON, and safe inside a script of a page. */
final class Json {
  private Json() {}

  static String text(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c == '<' || c == '>' || c == '&' || c > '~') {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }

  static String texts(Collection<String> all) {
    return all.stream().map(Json::text).collect(Collectors.joining(",", "[", "]"));
  }
}
