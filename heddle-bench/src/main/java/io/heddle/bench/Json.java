package io.heddle.bench;

import io.heddle.internal.base.JsonWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON as maps, lists, strings, booleans, {@code null} and {@code Double}s; one that is infinite is
 * written as null.
 */
public final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** Throws {@link IllegalArgumentException} that says where it is wrong. */
  public static @Nullable Object read(String text) {
    Json json = new Json(text);
    @Nullable Object value = json.value();
    if (json.peek() != 0) {
      throw json.wrong("the end");
    }
    return value;
  }

  /** An object, as {@link #read}. */
  @SuppressWarnings("unchecked")
  public static Map<String, @Nullable Object> readObject(String text) {
    if (read(text) instanceof Map<?, ?> map) {
      return (Map<String, @Nullable Object>) map;
    }
    throw new IllegalArgumentException("not a JSON object");
  }

  public static String write(@Nullable Object value) {
    JsonWriter json = new JsonWriter();
    write(value, json);
    return json.toString();
  }

  private static void write(@Nullable Object value, JsonWriter json) {
    switch (value) {
      case null -> json.raw("null");
      case Double d when !Double.isFinite(d) -> json.raw("null");
      case Map<?, ?> map -> {
        json.open('{');
        map.forEach(
            (key, each) -> {
              json.key(key.toString());
              write(each, json);
            });
        json.close('}');
      }
      case List<?> list -> {
        json.open('[');
        list.forEach(each -> write(each, json));
        json.close(']');
      }
      case Double d when d == Math.rint(d) && Math.abs(d) < 1e15 -> json.value(d.longValue());
      case Number n -> json.raw(n.toString());
      case Boolean b -> json.value(b);
      default -> json.value(value.toString());
    }
  }

  private @Nullable Object value() {
    return switch (peek()) {
      case '{' -> object();
      case '[' -> list();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, @Nullable Object> object() {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    expect('{');
    if (peek() != '}') {
      do {
        peek();
        String key = string();
        expect(':');
        object.put(key, value());
      } while (more('}'));
    }
    expect('}');
    return object;
  }

  private List<@Nullable Object> list() {
    List<@Nullable Object> list = new ArrayList<>();
    expect('[');
    if (peek() != ']') {
      do {
        list.add(value());
      } while (more(']'));
    }
    expect(']');
    return list;
  }

  private boolean more(char end) {
    if (peek() == end) {
      return false;
    }
    expect(',');
    return true;
  }

  private String string() {
    expect('"');
    StringBuilder string = new StringBuilder();
    while (at < text.length() && text.charAt(at) != '"') {
      char c = text.charAt(at++);
      string.append(c == '\\' ? escaped() : c);
    }
    expect('"');
    return string.toString();
  }

  private char escaped() {
    if (at >= text.length()) {
      throw wrong("an escape");
    }
    char c = text.charAt(at++);
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> unicode();
      case '"', '\\', '/' -> c;
      default -> throw wrong("an escape");
    };
  }

  private char unicode() {
    try {
      at += 4;
      return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw wrong("four hexadecimal digits");
    }
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw wrong(word);
    }
    at += word.length();
    return value;
  }

  private Double number() {
    int start = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    try {
      return Double.valueOf(text.substring(start, at));
    } catch (NumberFormatException e) {
      throw wrong("a value");
    }
  }

  /** The next that is no space, or 0 at the end. */
  private char peek() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at < text.length() ? text.charAt(at) : 0;
  }

  private void expect(char c) {
    if (peek() != c) {
      throw wrong("'" + c + "'");
    }
    at++;
  }

  private IllegalArgumentException wrong(String expected) {
    return new IllegalArgumentException("JSON: expected " + expected + " at character " + at);
  }
}
