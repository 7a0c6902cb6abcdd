package io.heddle.internal.dashboard;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parses JSON strictly, into maps, lists, strings, longs, doubles, booleans and nulls. */
public final class JsonReader {
  private final String text;
  private int at;

  private JsonReader(String text) {
    this.text = text;
  }

  public static Object read(String text) {
    JsonReader reader = new JsonReader(text);
    Object value = reader.value();
    if (reader.at != text.length()) {
      throw reader.wrong("an end");
    }
    return value;
  }

  private Object value() {
    return switch (text.charAt(at)) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, Object> object() {
    Map<String, Object> map = new LinkedHashMap<>();
    at++;
    while (text.charAt(at) != '}') {
      String key = string();
      expect(':');
      if (map.containsKey(key)) {
        throw wrong("no second " + key);
      }
      map.put(key, value());
      if (text.charAt(at) != '}') {
        expect(',');
      }
    }
    at++;
    return map;
  }

  private List<Object> array() {
    List<Object> list = new ArrayList<>();
    at++;
    while (text.charAt(at) != ']') {
      list.add(value());
      if (text.charAt(at) != ']') {
        expect(',');
      }
    }
    at++;
    return list;
  }

  private String string() {
    expect('"');
    StringBuilder out = new StringBuilder();
    while (text.charAt(at) != '"') {
      char c = text.charAt(at++);
      if (c < ' ') {
        throw wrong("no bare control character");
      }
      out.append(c == '\\' ? escaped() : c);
    }
    at++;
    return out.toString();
  }

  private char escaped() {
    char c = text.charAt(at++);
    return switch (c) {
      case 'u' -> {
        at += 4;
        yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
      }
      case 'n' -> '\n';
      case 't' -> '\t';
      case '"', '\\', '/' -> c;
      default -> throw wrong("an escape");
    };
  }

  private Object number() {
    int from = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    String digits = text.substring(from, at);
    return digits.matches("-?\\d+")
        ? (Object) Long.valueOf(digits)
        : (Object) Double.valueOf(digits);
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) {
      throw wrong(word);
    }
    at += word.length();
    return value;
  }

  private void expect(char c) {
    if (text.charAt(at) != c) {
      throw wrong("a " + c);
    }
    at++;
  }

  private AssertionError wrong(String expected) {
    return new AssertionError("expected " + expected + " at " + at + " of: " + text);
  }
}
