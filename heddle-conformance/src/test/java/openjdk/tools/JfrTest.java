package openjdk.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import openjdk.Pinned;
import openjdk.VirtualTest;
import openjdk.World;
import openjdk.thread.CustomSchedulerTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The flight recorder's events of virtual threads: JfrEvents.java, MonitorPinnedEvents.java,
 * PinnedEventDuration.java.
 */
class JfrTest extends VirtualTest {
  private static final String START = "jdk.VirtualThreadStart";
  private static final String END = "jdk.VirtualThreadEnd";
  private static final String PINNED = "jdk.VirtualThreadPinned";
  private static final String REFUSED = "jdk.VirtualThreadSubmitFailed";

  @TempDir private Path dir;

  @Test
  void startAndEnd() throws Exception {
    Set<Long> ids = new TreeSet<>();
    List<RecordedEvent> events =
        record(
            Duration.ZERO,
            () -> {
              for (int i = 0; i < 100; i++) {
                Thread thread = Thread.ofVirtual().start(LockSupport::park);
                ids.add(thread.threadId());
                LockSupport.unpark(thread);
                thread.join();
              }
            });
    assertThat(ids).hasSize(100);
    assertThat(idsOf(events, START)).containsAll(ids);
    assertThat(idsOf(events, END)).containsAll(ids);
    assertThat(count(events, START, ids)).isEqualTo(100);
    assertThat(count(events, END, ids)).isEqualTo(100);
  }

  @Test
  void parkedWhilePinned() throws Exception {
    Duration time = Duration.ofMillis(30);
    List<RecordedEvent> events =
        record(
            Duration.ZERO,
            () -> runNamed(() -> Pinned.run(() -> LockSupport.parkNanos(time.toNanos()))));
    List<RecordedEvent> pinned = of(events, PINNED);
    assertThat(pinned).hasSize(1);
    RecordedEvent event = pinned.getFirst();
    assertThat(event.getString("blockingOperation")).isEqualTo("LockSupport.park");
    assertThat(event.getString("pinnedReason")).containsIgnoringCase("native");
    assertThat(event.getThread("carrierThread").getJavaName())
        .startsWith(World.current().carriers());
    assertThat(event.getDuration()).isGreaterThan(time.minusMillis(2));
    assertThat(event.getStackTrace().getFrames())
        .anyMatch(frame -> frame.getMethod().getType().getName().equals(Pinned.class.getName()));
  }

  @Test
  void blockedOnAMonitorWhilePinned() throws Exception {
    Object monitor = new Object();
    List<RecordedEvent> events =
        record(
            Duration.ZERO,
            () -> {
              Thread thread;
              synchronized (monitor) {
                thread = named(() -> Pinned.run(() -> enter(monitor)));
                await(thread, Thread.State.BLOCKED);
              }
              thread.join();
            });
    assertThat(of(events, PINNED)).hasSize(1);
    assertThat(of(events, PINNED).getFirst().getString("blockingOperation"))
        .isEqualTo("Contended monitor enter");
  }

  @Test
  void waitingWhilePinned() throws Exception {
    Object monitor = new Object();
    List<RecordedEvent> events =
        record(Duration.ZERO, () -> runNamed(() -> Pinned.run(() -> timedWait(monitor))));
    assertThat(of(events, PINNED)).hasSize(1);
    assertThat(of(events, PINNED).getFirst().getString("blockingOperation"))
        .isEqualTo("Object.wait");
  }

  @Test
  void notPinned() throws Exception {
    Object monitor = new Object();
    List<RecordedEvent> events =
        record(
            Duration.ZERO,
            () ->
                runNamed(
                    () -> {
                      synchronized (monitor) {
                        LockSupport.parkNanos(1_000_000);
                        Thread.sleep(1);
                        monitor.wait(1);
                      }
                    }));
    assertThat(of(events, PINNED)).isEmpty();
  }

  @Test
  void shorterThanTheThreshold() throws Exception {
    List<RecordedEvent> events =
        record(
            Duration.ofHours(1),
            () -> runNamed(() -> Pinned.run(() -> LockSupport.parkNanos(1_000_000))));
    assertThat(of(events, PINNED)).isEmpty();
  }

  @Test
  void rejectingScheduler() throws Exception {
    List<RecordedEvent> events =
        record(
            Duration.ZERO,
            () -> {
              ExecutorService pool = Executors.newCachedThreadPool();
              Thread thread = CustomSchedulerTest.unstarted(pool, LockSupport::park);
              thread.start();
              await(thread, Thread.State.WAITING);
              pool.shutdown();
              assertThatExceptionOfType(RejectedExecutionException.class)
                  .isThrownBy(() -> LockSupport.unpark(thread));
              assertThatExceptionOfType(RejectedExecutionException.class)
                  .isThrownBy(() -> CustomSchedulerTest.unstarted(pool, () -> {}).start());
            });
    assertThat(events.stream().filter(event -> event.getEventType().getName().equals(REFUSED)))
        .hasSize(2);
  }

  private List<RecordedEvent> record(Duration threshold, Task task) throws Exception {
    try (Recording recording = new Recording()) {
      recording.enable(START);
      recording.enable(END);
      recording.enable(PINNED).withThreshold(threshold).withStackTrace();
      recording.enable(REFUSED);
      recording.start();
      task.run();
      recording.stop();
      Path file = dir.resolve("recording.jfr");
      recording.dump(file);
      return RecordingFile.readAllEvents(file);
    }
  }

  private static Thread named(Task task) {
    return Thread.ofVirtual()
        .name("recorded")
        .start(
            () -> {
              try {
                task.run();
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
  }

  private static void runNamed(Task task) throws InterruptedException {
    named(task).join();
  }

  /** The events of the observed thread only. */
  private static List<RecordedEvent> of(List<RecordedEvent> events, String name) {
    List<RecordedEvent> found = new ArrayList<>();
    for (RecordedEvent event : events) {
      if (event.getEventType().getName().equals(name)
          && event.getThread() != null
          && "recorded".equals(event.getThread().getJavaName())) {
        found.add(event);
      }
    }
    return found;
  }

  private static Set<Long> idsOf(List<RecordedEvent> events, String name) {
    Set<Long> ids = new TreeSet<>();
    for (RecordedEvent event : events) {
      if (event.getEventType().getName().equals(name)) {
        ids.add(event.getLong("javaThreadId"));
      }
    }
    return ids;
  }

  private static long count(List<RecordedEvent> events, String name, Set<Long> ids) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals(name))
        .filter(event -> ids.contains(event.getLong("javaThreadId")))
        .count();
  }

  private static void enter(Object monitor) {
    synchronized (monitor) {
      Thread.onSpinWait();
    }
  }

  private static void timedWait(Object monitor) throws InterruptedException {
    synchronized (monitor) {
      monitor.wait(2);
    }
  }
}
