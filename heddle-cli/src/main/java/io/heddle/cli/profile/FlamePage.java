package io.heddle.cli.profile;

import io.heddle.internal.base.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** A profile as a flame graph: a self-contained page for a browser. */
public final class FlamePage {
  private static final String PAGE = "flame.html";
  private static final String DATA = "/*DATA*/null/*DATA*/";

  private FlamePage() {}

  /** A box of the graph: the stacks that begin with the same frames. */
  private static final class Box {
    final Map<String, Box> above = new TreeMap<>();
    long nanos;

    /** Writes this box as an array: name, microseconds, the boxes above it. */
    void write(JsonWriter json, String name) {
      json.open('[').value(name).value(nanos / 1_000);
      if (!above.isEmpty()) {
        json.open('[');
        above.forEach((each, box) -> box.write(json, each));
        json.close(']');
      }
      json.close(']');
    }
  }

  /** Returns the page. */
  public static String of(WallProfile profile) throws IOException {
    Box root = new Box();
    for (WallProfile.Stack stack : profile.stacks()) {
      Box box = root;
      box.nanos += stack.seen().nanos();
      for (String frame : profile.path(stack)) {
        box = box.above.computeIfAbsent(frame, _ -> new Box());
        box.nanos += stack.seen().nanos();
      }
    }
    JsonWriter json = new JsonWriter().open('{');
    json.field("pid", profile.pid()).field("seconds", profile.seconds()).key("root");
    root.write(json, "all goroutines");
    return page().replace(DATA, json.close('}').toString());
  }

  private static String page() throws IOException {
    try (InputStream in = Objects.requireNonNull(FlamePage.class.getResourceAsStream(PAGE), PAGE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
