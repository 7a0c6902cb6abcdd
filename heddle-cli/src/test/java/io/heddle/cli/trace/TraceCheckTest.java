package io.heddle.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The check finds errors: traces of the same programs with one event removed, duplicated or moved.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TraceCheckTest {
  /**
   * Events that a later event requires. The other kinds describe what need not
   * have happened.
   */
  private static final Set<EventKind> NEEDED =
      EnumSet.of(
          EventKind.START,
          EventKind.READY,
          EventKind.RUN,
          EventKind.BLOCK,
          EventKind.YIELD,
          EventKind.END,
          EventKind.DONE,
          EventKind.OWN,
          EventKind.GIVE,
          EventKind.SPIN,
          EventKind.SPUN,
          EventKind.PARK,
          EventKind.UNPARK,
          EventKind.CALL,
          EventKind.RETURN);

  /** Two neighbours of these kinds cannot be swapped. */
  private static final Set<EventKind> IN_ORDER =
      EnumSet.of(
          EventKind.RUN,
          EventKind.BLOCK,
          EventKind.YIELD,
          EventKind.DONE,
          EventKind.OWN,
          EventKind.GIVE,
          EventKind.PARK);

  private static final int TRIALS = 60;

  /** Not at the very end, because no later event depends on those. */
  private static final int FIRST = 10;

  private static final int LAST = 20;

  @TempDir Path dir;

  @ParameterizedTest
  @EnumSource(names = {"PING_PONG", "SELECT", "BLOCKING", "YIELDS", "PROCS"})
  void anEventThatIsGoneIsMissed(Programs program) throws Exception {
    breakIt(program, NEEDED, (events, i) -> events.remove((int) i));
  }

  @ParameterizedTest
  @EnumSource(names = {"PING_PONG", "SELECT", "BLOCKING", "YIELDS", "PROCS"})
  void anEventThatIsThereTwiceIsSeen(Programs program) throws Exception {
    breakIt(program, NEEDED, (events, i) -> events.add(i, events.get(i)));
  }

  @ParameterizedTest
  @EnumSource(names = {"PING_PONG", "SELECT", "BLOCKING", "YIELDS"})
  void anEventThatIsTooEarlyIsSeen(Programs program) throws Exception {
    breakIt(
        program,
        IN_ORDER,
        (events, i) -> {
          // A goroutine may get a P while it is on its M: after a call.
          EventKind next = events.get(i + 1).kind;
          if (IN_ORDER.contains(next) && next != EventKind.OWN) {
            events.add(i, events.remove(i + 1));
          } else {
            events.remove((int) i); // no neighbour to swap with: removing it is an error, too
          }
        });
  }

  private void breakIt(
      Programs program, Set<EventKind> kinds, BiConsumer<List<TraceEvent>, Integer> how)
      throws Exception {
    TraceData data = program.trace(2, dir.resolve("t.trace"));
    assertThat(TraceCheck.of(data).errors()).isEmpty();
    Random random = new Random(7);
    for (int trial = 0; trial < TRIALS; trial++) {
      List<List<TraceEvent>> tracks = read(data);
      List<TraceEvent> events = pickTrack(tracks, kinds, random);
      int i = pick(events, kinds, random);
      String what = program + ": " + events.get(i) + ", then " + events.get(i + 1);
      how.accept(events, i);
      assertThat(check(data, tracks).isFine()).as(what).isFalse();
    }
  }

  private static List<List<TraceEvent>> read(TraceData data) {
    List<List<TraceEvent>> tracks = new ArrayList<>();
    for (TraceTrack track : data.tracks()) {
      List<TraceEvent> events = new ArrayList<>();
      data.events(track).forEachRemaining(events::add);
      tracks.add(events);
    }
    return tracks;
  }

  /** The track of an M that has events of these kinds. */
  private static List<TraceEvent> pickTrack(
      List<List<TraceEvent>> tracks, Set<EventKind> kinds, Random random) {
    List<List<TraceEvent>> ms =
        tracks.stream()
            .filter(t -> t.size() > 40 && t.getFirst().track.owner == TraceTrack.Owner.M)
            .filter(t -> IntStream.range(FIRST, t.size() - LAST).anyMatch(i -> has(t, i, kinds)))
            .toList();
    assertThat(ms).isNotEmpty();
    return ms.get(random.nextInt(ms.size()));
  }

  private static int pick(List<TraceEvent> events, Set<EventKind> kinds, Random random) {
    for (; ; ) {
      int i = random.nextInt(FIRST, events.size() - LAST);
      if (has(events, i, kinds)) {
        return i;
      }
    }
  }

  private static boolean has(List<TraceEvent> events, int i, Set<EventKind> kinds) {
    return kinds.contains(events.get(i).kind);
  }

  private static TraceCheck check(TraceData data, List<List<TraceEvent>> tracks) {
    List<Iterator<TraceEvent>> all = new ArrayList<>();
    tracks.forEach(track -> all.add(track.iterator()));
    return TraceCheck.of(data, all);
  }
}
