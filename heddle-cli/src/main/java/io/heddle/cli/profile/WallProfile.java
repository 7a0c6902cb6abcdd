package io.heddle.cli.profile;

import io.heddle.ProfiledStack;
import java.util.ArrayList;
import java.util.List;

/** The stacks of the goroutines of a process, and how much time they have spent with each. */
public record WallProfile(long pid, int seconds, List<Stack> stacks) {
  /** A stack, and the name of the scheduler whose goroutines had it. */
  public record Stack(String scheduler, ProfiledStack seen) {
    /** The frames, the outermost first. */
    List<String> rootFirst() {
      return seen.frames().reversed();
    }
  }

  long nanos() {
    return stacks.stream().mapToLong(stack -> stack.seen().nanos()).sum();
  }

  private boolean hasSeveralSchedulers() {
    return stacks.stream().map(Stack::scheduler).distinct().count() > 1;
  }

  /**
   * The path of a stack from the root of a flame graph: the scheduler, if there are several, the
   * state, and the frames, the outermost first.
   */
  List<String> path(Stack stack) {
    List<String> path = new ArrayList<>();
    if (hasSeveralSchedulers()) {
      path.add("scheduler " + stack.scheduler());
    }
    path.add(stack.seen().state());
    path.addAll(stack.rootFirst());
    return path;
  }
}
