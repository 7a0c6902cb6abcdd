package io.heddle.internal.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.HangGuard;
import io.heddle.internal.jdk.CleanerMonitor;
import io.heddle.internal.jdk.VirtualThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Linux's epoll, polled by one thread. */
@HangGuard
@EnabledOnOs(value = OS.LINUX, disabledReason = "there is no epoll elsewhere")
class EpollPollerTest {
  private static final long LONG = TimeUnit.HOURS.toNanos(1);

  private NetPoller poller;
  private NetPoller.Events events;

  @BeforeEach
  void open() {
    VirtualThreads.ensureOpen();
    poller = Objects.requireNonNull(EpollPoller.tryOpen());
    events = poller.newEvents();
  }

  @AfterEach
  void close() {
    poller.close();
  }

  @Test
  void descriptorReadyBeforeWatchIsReported() {
    try (EventFd fd = new EventFd()) {
      fd.signal();
      PollDesc desc = watch(fd, this);
      pollAndWake();
      assertThat(desc.enter(false)).isEqualTo(PollDesc.Entry.READY);
    }
  }

  /**
   * A goroutine that waits for the cleaner's monitor may be unable to run until the polling M has
   * polled.
   */
  @Test
  void pollDoesNotWaitForTheJdksCleaner() throws Exception {
    Object monitor = CleanerMonitor.monitor();
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    FutureTask<Boolean> holds =
        new FutureTask<>(
            () -> {
              synchronized (monitor) {
                held.countDown();
                return over.await(30, TimeUnit.SECONDS);
              }
            });
    try (EventFd fd = new EventFd()) {
      PollDesc desc = watch(fd, this);
      fd.signal();
      Thread holder = Thread.ofPlatform().start(holds);
      held.await();
      NetPoller.Events found = poller.newEvents();
      assertThat(poller.look(found, 0)).isTrue();
      poller.wake(found);
      poller.interrupt();
      poller.clearInterrupt();
      over.countDown();
      assertThat(desc.enter(false)).isEqualTo(PollDesc.Entry.READY);
      assertThat(holds.get()).as("the poll did not wait for the monitor").isTrue();
      holder.join();
    }
  }

  @Test
  void changeIsReportedOnce() {
    try (EventFd fd = new EventFd()) {
      PollDesc desc = watch(fd, this);
      pollAndWake(); // reports that it is writable
      fd.signal();
      pollAndWake();
      assertThat(desc.enter(false)).isEqualTo(PollDesc.Entry.READY);
      assertThat(poller.look(events, 0)).isFalse();
      assertThat(watch(fd, this)).as("known, and not asked again").isSameAs(desc);
      assertThat(poller.look(events, 0)).isFalse();
    }
  }

  @Test
  void descriptorWithoutOwnerIsRegisteredEachTime() {
    try (EventFd fd = new EventFd()) {
      PollDesc desc = watch(fd, null);
      fd.signal();
      pollAndWake();
      assertThat(desc.enter(false)).isEqualTo(PollDesc.Entry.READY);
      assertThat(watch(fd, null)).isSameAs(desc);
      pollAndWake();
      assertThat(desc.enter(false)).as("it still is").isEqualTo(PollDesc.Entry.READY);
    }
  }

  /** The descriptor number is reused, by another owner. */
  @Test
  void reusedDescriptorNumberIsWatchedAgain() {
    EventFd first = new EventFd();
    PollDesc old = watch(first, "first");
    int number = first.fd();
    first.close();
    try (EventFd second = new EventFd()) {
      assertThat(second.fd()).isEqualTo(number);
      PollDesc desc = watch(second, "second");
      assertThat(desc).isNotSameAs(old);
      assertThat(old.isForgotten()).isTrue();
      second.signal();
      pollAndWake();
      assertThat(desc.enter(false)).isEqualTo(PollDesc.Entry.READY);
    }
  }

  @Test
  void reusedDescriptorNumberWithoutOwnerIsWatchedAgain() {
    EventFd first = new EventFd();
    PollDesc _ = watch(first, null);
    first.close();
    try (EventFd second = new EventFd()) {
      PollDesc desc = watch(second, null);
      second.signal();
      pollAndWake();
      assertThat(desc.enter(false)).isEqualTo(PollDesc.Entry.READY);
    }
  }

  /** Two objects claim the same descriptor: neither waits forever. */
  @Test
  void secondOwnerOfDescriptorReplacesTheFirst() {
    try (EventFd fd = new EventFd()) {
      PollDesc first = watch(fd, "first");
      assertThat(first.enter(false)).isEqualTo(PollDesc.Entry.ENTERED);
      PollDesc second = watch(fd, "second");
      assertThat(first.isForgotten()).isTrue();
      fd.signal();
      pollAndWake();
      assertThat(second.enter(false)).isEqualTo(PollDesc.Entry.READY);
    }
  }

  @Test
  void descriptorThatChangesWithoutWaiterIsForgotten() {
    try (EventFd fd = new EventFd()) {
      PollDesc desc = watch(fd, this);
      int looks = 0;
      for (; !desc.isForgotten(); looks++) {
        fd.signal();
        pollAndWake();
      }
      assertThat(looks).isBetween(3, 20);
      fd.signal();
      assertThat(poller.look(events, 0)).isFalse();
      assertThat(poller.find(fd.fd())).isNull();
      PollDesc again = watch(fd, this);
      pollAndWake();
      assertThat(again.enter(false)).isEqualTo(PollDesc.Entry.READY);
    }
  }

  @Test
  void eventsBeyondTheBufferAreFoundByTheNextPoll() {
    List<EventFd> all = new ArrayList<>();
    List<PollDesc> descs = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      EventFd fd = new EventFd();
      all.add(fd);
      fd.signal();
      descs.add(watch(fd, fd));
    }
    int looks = 0;
    for (; poller.look(events, 0); looks++) {
      poller.wake(events);
    }
    assertThat(looks).isGreaterThan(1);
    assertThat(descs).allMatch(desc -> desc.enter(false) == PollDesc.Entry.READY);
    all.forEach(EventFd::close);
  }

  @Test
  void interruptStaysInForceUntilCleared() {
    poller.interrupt();
    for (int i = 0; i < 3; i++) {
      boolean _ = poller.look(events, LONG); // returns
      poller.wake(events);
    }
    poller.clearInterrupt();
    assertThat(poller.look(events, 1_000)).isFalse();
  }

  /**
   * The next thread that waits may be interrupted before the previous one has cleared its
   * interrupt.
   */
  @Test
  void clearingOneInterruptLeavesTheOther() {
    poller.interrupt();
    poller.interrupt();
    poller.clearInterrupt();
    boolean _ = poller.look(events, LONG); // returns
    poller.wake(events);
    poller.clearInterrupt();
    assertThat(poller.look(events, 1_000)).isFalse();
  }

  @Test
  void unknownDescriptorCannotBeWatched() {
    assertThat(poller.watch(1_000_000, this)).as("no such descriptor").isNull();
    assertThat(poller.find(1_000_000)).isNull();
  }

  private PollDesc watch(EventFd fd, Object owner) {
    return Objects.requireNonNull(poller.watch(fd.fd(), owner));
  }

  private void pollAndWake() {
    assertThat(poller.look(events, LONG)).isTrue();
    poller.wake(events);
    assertThat(events.isEmpty()).isTrue();
  }
}
