package io.heddle.cli.profile;

import java.util.Map;
import java.util.TreeMap;

/**
 * A profile as collapsed stacks, the text that flame graph tools read: for each stack a line with
 * its frames, the outermost first, and the time in microseconds. The first frame is the state.
 */
public final class CollapsedStacks {
  private CollapsedStacks() {}

  /** Returns the lines, in alphabetical order. */
  public static String of(WallProfile profile) {
    Map<String, Long> lines = new TreeMap<>();
    for (WallProfile.Stack stack : profile.stacks()) {
      String line = String.join(";", profile.path(stack).stream().map(f -> clean(f)).toList());
      lines.merge(line, stack.seen().nanos() / 1_000, Long::sum);
    }
    StringBuilder out = new StringBuilder();
    lines.forEach((line, micros) -> out.append(line).append(' ').append(micros).append('\n'));
    return out.toString();
  }

  private static String clean(String frame) {
    return frame.replace(';', ',').replace('\n', ' ');
  }
}
