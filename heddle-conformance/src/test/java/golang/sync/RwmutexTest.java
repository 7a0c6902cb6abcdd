package golang.sync;

import static org.assertj.core.api.Assertions.assertThat;

import golang.GoTest;
import golang.Until;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.RWMutex;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

/** Go's {@code sync/rwmutex_test.go}. */
class RwmutexTest extends GoTest {
  private static final int LOOPS = 300;

  /** The weight of a writer; a reader counts 1. */
  private static final int WRITER = 10_000;

  @Test
  void parallelReaders() throws Exception {
    run(
        () -> {
          readTogether(1);
          readTogether(3);
          readTogether(4);
          readTogether(20);
        });
  }

  @Test
  void rwMutex() throws Exception {
    run(
        () -> {
          tries();
          hammer(1);
          hammer(3);
          hammer(10);
        });
  }

  @Test
  void rLocker() throws Exception {
    run(
        () -> {
          RWMutex m = new RWMutex();
          Lock read = m.readLock();
          Chan<String> reads = Chan.make(1);
          Chan<String> writes = Chan.make(1);
          int rounds = 10;
          Goroutine other = Go.go(() -> readTwiceThenWrite(m, reads, writes, rounds));
          for (int i = 0; i < rounds; i++) {
            reads.receive();
            Until.asleep(other, "sync.RWMutex.Lock");
            read.unlock();
            Until.othersHaveRun();
            assertThat(writes.tryReceive()).as("written while it is read").isNull();
            read.unlock();
            writes.receive();
            Until.othersHaveRun();
            assertThat(reads.tryReceive()).as("read while it is written").isNull();
            m.writeLock().unlock();
          }
        });
  }

  /** Each reader acquires it before any reader releases it. */
  private static void readTogether(int readers) throws InterruptedException {
    RWMutex m = new RWMutex();
    Chan<Boolean> locked = Chan.make();
    Chan<Boolean> unlock = Chan.make();
    Chan<Boolean> done = Chan.make();
    for (int i = 0; i < readers; i++) {
      Go.go(
          () -> {
            m.readLock().lock();
            locked.send(true);
            unlock.receive();
            m.readLock().unlock();
            done.send(true);
          });
    }
    receive(locked, readers);
    assertThat(m.writeLock().tryLock()).isFalse();
    for (int i = 0; i < readers; i++) {
      unlock.send(true);
    }
    receive(done, readers);
    assertThat(m.writeLock().tryLock()).isTrue();
  }

  private static void receive(Chan<Boolean> c, int n) throws InterruptedException {
    for (int i = 0; i < n; i++) {
      c.receive();
    }
  }

  private static void tries() {
    RWMutex m = new RWMutex();
    Lock write = m.writeLock();
    Lock read = m.readLock();
    write.lock();
    assertThat(write.tryLock()).isFalse();
    assertThat(read.tryLock()).isFalse();
    write.unlock();
    assertThat(write.tryLock()).isTrue();
    write.unlock();
    assertThat(read.tryLock()).isTrue();
    assertThat(read.tryLock()).isTrue();
    assertThat(write.tryLock()).isFalse();
    read.unlock();
    read.unlock();
  }

  private static void hammer(int readers) throws InterruptedException {
    RWMutex m = new RWMutex();
    AtomicInteger active = new AtomicInteger();
    Chan<Integer> wrong = Chan.make();
    for (int i = 0; i < readers + 2; i++) {
      boolean writes = i == 0 || i == 1 + readers / 2;
      Go.go(() -> wrong.send(writes ? write(m, active) : read(m, active)));
    }
    for (int i = 0; i < readers + 2; i++) {
      assertThat(wrong.receive()).isZero();
    }
  }

  /** How often a writer was inside while it was acquired for reading. */
  private static int read(RWMutex m, AtomicInteger active) {
    int wrong = 0;
    for (int i = 0; i < LOOPS; i++) {
      m.readLock().lock();
      wrong += active.addAndGet(1) >= WRITER ? 1 : 0;
      linger(i);
      active.addAndGet(-1);
      m.readLock().unlock();
    }
    return wrong;
  }

  /** How often another goroutine was inside. */
  private static int write(RWMutex m, AtomicInteger active) {
    int wrong = 0;
    for (int i = 0; i < LOOPS; i++) {
      m.writeLock().lock();
      wrong += active.addAndGet(WRITER) == WRITER ? 0 : 1;
      linger(i);
      active.addAndGet(-WRITER);
      m.writeLock().unlock();
    }
    return wrong;
  }

  /** Yields now and then while it is locked, so that others run on one P, too. */
  private static void linger(int i) {
    if (i % 10 == 0) {
      Go.gosched();
    }
  }

  private static void readTwiceThenWrite(
      RWMutex m, Chan<String> reads, Chan<String> writes, int rounds) throws InterruptedException {
    for (int i = 0; i < rounds; i++) {
      m.readLock().lock();
      m.readLock().lock();
      reads.send("locked twice");
      m.writeLock().lock();
      writes.send("locked");
    }
  }
}
