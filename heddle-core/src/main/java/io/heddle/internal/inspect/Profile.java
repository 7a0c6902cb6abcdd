package io.heddle.internal.inspect;

import io.heddle.internal.base.FastRandom;
import io.heddle.internal.jdk.WaitReason;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.GoroutineState;
import io.heddle.internal.sched.Sched;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A wall-clock profile: how much time the goroutines of a scheduler spend in each state, with each
 * stack. The caller's thread takes a pass over the goroutines at intervals.
 */
public final class Profile {
  /*
   * One pass: 1. Visit all goroutines. Choose at random up to MAX_STACKS of those that wait, and up
   * to MAX_STACKS of the others. 2. Read the stacks of the chosen ones. 3. Charge each stack with
   * the time since the last pass, times the number of waiting (or other) goroutines, divided by the
   * number of chosen ones. So the sum over all stacks is the number of goroutines times the
   * duration.
   *
   * State and stack are read one after the other, so a goroutine that changes its state meanwhile
   * is shown with the old state and the new stack.
   *
   * Checked by: ProfileTest.
   */

  /** The mean interval between two passes, if passes are short: half the rate of Go's profiler. */
  private static final long INTERVAL_NANOS = 20_000_000;

  /** Passes take at most one part in this number of the time. */
  private static final int MAX_SHARE = 20;

  /**
   * How many stacks of waiting goroutines, and how many of other goroutines, a pass reads at most.
   * To read a stack takes some 10 µs.
   */
  private static final int MAX_STACKS = 500;

  /** How many different stacks a profile has. Further ones are counted in one entry. */
  private static final int MAX_DIFFERENT = 20_000;

  private final Sched sched;
  private final FastRandom random = new FastRandom(System.nanoTime());
  private final Map<StackIdentity, SeenTime> entries = new HashMap<>();
  private long others;
  private long othersNanos;

  private Profile(Sched sched) {
    this.sched = sched;
  }

  /** The properties that are the same for the goroutines of an entry. */
  private record StackIdentity(
      String state,
      @Nullable StackTraceElement site,
      Map<String, String> labels,
      List<StackTraceElement> stack) {}

  private static final class SeenTime {
    long samples;
    long nanos;
  }

  /**
   * The goroutines that had the same state, stack, creation site and labels.
   *
   * @param state the wait reason, or another state in one word
   * @param site where they were created; empty if that is not known
   * @param labels for example {@code tenant=acme}; empty if they had none
   * @param frames the stack, the innermost frame first
   * @param samples how often such a goroutine was seen
   * @param nanos the time of all such goroutines, in nanoseconds
   */
  public record Stack(
      String state,
      String site,
      Map<String, String> labels,
      List<StackTraceElement> frames,
      long samples,
      long nanos) {}

  /** A random choice of the goroutines that are offered, and the number of all offered ones. */
  private final class Choice {
    final List<G> chosen = new ArrayList<>();
    int all;

    void offer(G g) {
      all++;
      if (chosen.size() < MAX_STACKS) {
        chosen.add(g);
        return;
      }
      int place = random.next(all);
      if (place < MAX_STACKS) {
        chosen.set(place, g);
      }
    }
  }

  /**
   * Profiles {@code sched} for {@code nanos}. If the caller is interrupted, returns the profile of
   * the time until then, and leaves the interrupt flag set.
   */
  public static List<Stack> of(Sched sched, long nanos) {
    Profile profile = new Profile(sched);
    profile.run(nanos);
    return profile.stacks();
  }

  private void run(long nanos) {
    long start = System.nanoTime();
    long last = start;
    long took = 0;
    try {
      while (last - start < nanos) {
        long mean = Math.max(INTERVAL_NANOS, MAX_SHARE * took);
        long pause = mean / 2 + random.next((int) Math.min(mean, Integer.MAX_VALUE));
        sleep(Math.min(pause, nanos - (last - start)));
        long now = System.nanoTime();
        pass(now - last);
        took = System.nanoTime() - now;
        last = now;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void sleep(long nanos) throws InterruptedException {
    Thread.sleep(nanos / 1_000_000, (int) (nanos % 1_000_000));
  }

  /** Takes one pass, which stands for {@code nanos}. */
  private void pass(long nanos) {
    Choice waiting = new Choice();
    Choice others = new Choice();
    sched
        .registry()
        .forEach(g -> (g.goroutineState() == GoroutineState.WAITING ? waiting : others).offer(g));
    read(waiting, nanos);
    read(others, nanos);
  }

  private void read(Choice choice, long nanos) {
    for (G g : choice.chosen) {
      if (g.thread() != Thread.currentThread()) {
        add(g, (long) ((double) nanos * choice.all / choice.chosen.size()));
      }
    }
  }

  private void add(G g, long nanos) {
    GoroutineState state = g.goroutineState();
    if (state == GoroutineState.DEAD || state == GoroutineState.NEW) {
      return;
    }
    String reason = g.reasonWithoutStack();
    List<StackTraceElement> stack = List.of(g.thread().getStackTrace());
    if (reason == null) {
      reason = WaitReason.ofFrames(stack);
    }
    StackIdentity kind =
        new StackIdentity(reason.isEmpty() ? state.word() : reason, g.site(), g.labels(), stack);
    SeenTime entry = entries.get(kind);
    if (entry == null) {
      if (entries.size() >= MAX_DIFFERENT) {
        others++;
        othersNanos += nanos;
        return;
      }
      entry = new SeenTime();
      entries.put(kind, entry);
    }
    entry.samples++;
    entry.nanos += nanos;
  }

  private List<Stack> stacks() {
    List<Stack> all =
        entries.entrySet().stream()
            .map(each -> stack(each.getKey(), each.getValue()))
            .collect(Collectors.toCollection(ArrayList::new));
    if (others > 0) {
      all.add(new Stack("(other)", "", Map.of(), List.of(), others, othersNanos));
    }
    all.sort((a, b) -> Long.compare(b.nanos(), a.nanos()));
    return all;
  }

  private static Stack stack(StackIdentity kind, SeenTime entry) {
    String site = kind.site() == null ? "" : kind.site().toString();
    return new Stack(kind.state(), site, kind.labels(), kind.stack(), entry.samples, entry.nanos);
  }
}
