package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@HangGuard
class RWMutexTest {
  private static final String READ = "sync.RWMutex.RLock";
  private static final String WRITE = "sync.RWMutex.Lock";

  private final RWMutex mutex = new RWMutex();
  private final Lock read = mutex.readLock();
  private final Lock write = mutex.writeLock();
  private final AtomicInteger reading = new AtomicInteger();
  private final AtomicInteger wrong = new AtomicInteger();
  private int counter;

  @Test
  void manyReadersOrOneWriter() {
    assertThat(read.tryLock()).isTrue();
    assertThat(read.tryLock()).isTrue();
    assertThat(write.tryLock()).isFalse();
    assertThat(mutex).hasToString("RWMutex[readers 2]");
    read.unlock();
    assertThat(write.tryLock()).isFalse();
    read.unlock();
    assertThat(write.tryLock()).isTrue();
    assertThat(read.tryLock()).isFalse();
    assertThat(write.tryLock()).isFalse();
    write.unlock();
    assertThat(mutex).hasToString("RWMutex[unlocked]");
  }

  @Test
  void unlockOfUnlockedMutexThrows() {
    assertThatThrownBy(read::unlock)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not locked for reading");
    assertThatThrownBy(write::unlock)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not locked for writing");
    read.lock();
    assertThatThrownBy(write::unlock).isInstanceOf(IllegalStateException.class);
    read.unlock();
    write.lock();
    assertThatThrownBy(read::unlock).isInstanceOf(IllegalStateException.class);
    write.unlock();
    assertThatThrownBy(read::newCondition).isInstanceOf(UnsupportedOperationException.class);
    assertThat(mutex).as("still usable").hasToString("RWMutex[unlocked]");
  }

  @Test
  void waitingWriterBlocksNewReadersWhichPrecedeTheNextWriter() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      List<String> order = Collections.synchronizedList(new ArrayList<>());
      read.lock();
      Goroutine first = start(scheduler, order, "writer 1", write, WRITE);
      Goroutine second = start(scheduler, order, "writer 2", write, WRITE);
      assertThat(read.tryLock()).isFalse();
      Goroutine reader = start(scheduler, order, "reader", read, READ);
      read.unlock();
      first.join();
      reader.join();
      second.join();
      assertThat(order).containsExactly("writer 1", "reader", "writer 2");
      assertThat(write.tryLock()).isTrue();
    }
  }

  private static Goroutine start(
      Scheduler scheduler, List<String> order, String name, Lock lock, String reason) {
    Goroutine g =
        scheduler.go(
            () -> {
              lock.lock();
              order.add(name);
              lock.unlock();
            });
    Await.until(g::waitReason, reason);
    return g;
  }

  @Test
  void interruptedWriterLetsReadersIn() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      read.lock();
      AtomicInteger interrupted = new AtomicInteger();
      Goroutine writer =
          scheduler.go(
              () -> {
                try {
                  write.lockInterruptibly();
                } catch (InterruptedException e) {
                  interrupted.incrementAndGet();
                }
              });
      Await.until(writer::waitReason, WRITE);
      Goroutine reader = scheduler.go(read::lock);
      Await.until(reader::waitReason, READ);
      writer.interrupt();
      reader.join();
      writer.join();
      assertThat(interrupted).hasValue(1);
      assertThat(mutex).hasToString("RWMutex[readers 2]");
      assertThat(write.tryLock(1, TimeUnit.MILLISECONDS)).isFalse();
      assertThat(read.tryLock()).as("no writer waits").isTrue();
    }
  }

  @Test
  void readerThatTimesOutLeavesMutexUnchanged() throws Exception {
    write.lock();
    assertThat(read.tryLock(1, TimeUnit.MILLISECONDS)).isFalse();
    write.unlock();
    assertThat(mutex).hasToString("RWMutex[unlocked]");
    assertThat(write.tryLock()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void writerExcludesReadersAndWriters(int procs) throws Exception {
    AtomicInteger written = new AtomicInteger();
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      Thread platform = Thread.ofPlatform().start(() -> write(written));
      scheduler.run(
          () -> {
            WaitGroup all = new WaitGroup();
            for (int i = 0; i < 25; i++) {
              all.go(() -> write(written));
              all.go(this::read);
              Goroutine hasty = all.go(() -> hastily(written));
              all.go(
                  () -> {
                    for (int k = 0; k < 50; k++) {
                      hasty.interrupt();
                      Go.gosched();
                    }
                  });
            }
            all.await();
          });
      platform.join();
    }
    assertThat(wrong).hasValue(0);
    assertThat(counter).isEqualTo(written.get()).isGreaterThanOrEqualTo(26 * 100);
    assertThat(mutex).hasToString("RWMutex[unlocked]");
    assertThat(write.tryLock()).isTrue();
  }

  private void write(AtomicInteger written) {
    for (int i = 0; i < 100; i++) {
      write.lock();
      writing(written);
      write.unlock();
    }
  }

  private void writing(AtomicInteger written) {
    int now = counter;
    if (reading.get() != 0) {
      wrong.incrementAndGet();
    }
    if (now % 16 == 0) {
      Go.gosched();
    }
    counter = now + 1;
    written.incrementAndGet();
  }

  private void read() {
    for (int i = 0; i < 100; i++) {
      read.lock();
      reading();
      read.unlock();
    }
  }

  private void reading() {
    int before = counter;
    reading.incrementAndGet();
    Go.gosched();
    reading.decrementAndGet();
    if (before != counter) {
      wrong.incrementAndGet();
    }
  }

  private void hastily(AtomicInteger written) {
    for (int i = 0; i < 100; i++) {
      try {
        if (i % 2 == 0) {
          write.lockInterruptibly();
          writing(written);
          write.unlock();
        } else if (read.tryLock(20, TimeUnit.MICROSECONDS)) {
          reading();
          read.unlock();
        }
      } catch (InterruptedException e) {
        // next round
      }
    }
  }
}
