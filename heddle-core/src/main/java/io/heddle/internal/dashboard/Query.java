package io.heddle.internal.dashboard;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The query parameters of a URL. */
final class Query {
  /** An invalid parameter. The message is sent to the client. */
  static final class Wrong extends RuntimeException {
    private static final long serialVersionUID = 1;

    Wrong(String message) {
      super(message);
    }
  }

  private final Map<String, String> values = new HashMap<>();

  private Query() {}

  static Query of(URI uri) {
    Query query = new Query();
    String raw = uri.getRawQuery();
    for (String pair : raw == null ? new String[0] : raw.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        query.values.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
      }
    }
    return query;
  }

  /** Returns a parameter, or null if it is absent or empty. */
  @Nullable String text(String name) {
    String value = values.get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  /**
   * Returns a parameter as a whole number; {@code byDefault} if the parameter is absent or empty.
   *
   * @throws Wrong if the parameter is not a whole number from {@code least} to {@code most}
   */
  long number(String name, long least, long most, long byDefault) {
    String text = text(name);
    if (text == null) {
      return byDefault;
    }
    try {
      long n = Long.parseLong(text);
      if (n >= least && n <= most) {
        return n;
      }
    } catch (NumberFormatException e) {
      // not a number: the exception below reports this
    }
    throw new Wrong(
        name + " is \"" + text + "\": allowed is a whole number from " + least + " to " + most);
  }

  /**
   * Decodes a part of the query. The JDK's server has already refused a query that cannot be
   * decoded.
   */
  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
