package openjdk.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import openjdk.VirtualTest;
import openjdk.World;
import org.junit.jupiter.api.Test;

/** Names, numbers, groups, priorities: ThreadAPI.java. */
class IdentityTest extends VirtualTest {
  @Test
  void threadCanSetItsOwnName() throws Exception {
    virtually(
        () -> {
          Thread me = Thread.currentThread();
          assertThat(me.getName()).isEmpty();
          me.setName("fred");
          assertThat(me.getName()).isEqualTo("fred");
        });
  }

  @Test
  void othersCanRenameItBeforeWhileAndAfterItRuns() throws Exception {
    Thread thread = Thread.ofVirtual().name("first").unstarted(LockSupport::park);
    assertThat(thread.getName()).isEqualTo("first");
    thread.setName("second");
    thread.start();
    await(thread, Thread.State.WAITING);
    assertThat(thread.getName()).isEqualTo("second");
    thread.setName("third");
    assertThat(thread.getName()).isEqualTo("third");
    LockSupport.unpark(thread);
    thread.join();
    assertThat(thread.getName()).isEqualTo("third");
    thread.setName("fourth");
    assertThat(thread.getName()).isEqualTo("fourth");
  }

  @Test
  void thePriorityIsAlwaysNormal() throws Exception {
    Thread thread = Thread.ofVirtual().unstarted(LockSupport::park);
    Task check =
        () -> {
          for (int priority : new int[] {Thread.MAX_PRIORITY, Thread.MIN_PRIORITY}) {
            thread.setPriority(priority);
            assertThat(thread.getPriority()).isEqualTo(Thread.NORM_PRIORITY);
          }
          assertThatIllegalArgumentException().isThrownBy(() -> thread.setPriority(-1));
        };
    check.run();
    thread.start();
    check.run();
    LockSupport.unpark(thread);
    thread.join();
    assertThat(thread.getPriority()).isEqualTo(Thread.NORM_PRIORITY);
  }

  @Test
  void everyVirtualThreadIsADaemon() throws Exception {
    Thread thread = Thread.ofVirtual().unstarted(LockSupport::park);
    assertThat(thread.isDaemon()).isTrue();
    thread.setDaemon(true);
    assertThatIllegalArgumentException().isThrownBy(() -> thread.setDaemon(false));
    thread.start();
    assertThat(thread.isDaemon()).isTrue();
    assertThatExceptionOfType(IllegalThreadStateException.class)
        .isThrownBy(() -> thread.setDaemon(true));
    assertThatIllegalArgumentException().isThrownBy(() -> thread.setDaemon(false));
    LockSupport.unpark(thread);
    thread.join();
    assertThat(thread.isDaemon()).isTrue();
  }

  @Test
  void idIsStableAndUnique() throws Exception {
    Set<Long> ids = ConcurrentHashMap.newKeySet();
    long[] inside = new long[1];
    Thread thread =
        Thread.ofVirtual().unstarted(() -> inside[0] = Thread.currentThread().threadId());
    long id = thread.threadId();
    thread.start();
    thread.join();
    assertThat(inside[0]).isEqualTo(id).isEqualTo(thread.threadId());
    for (int i = 0; i < 100; i++) {
      ids.add(Thread.ofVirtual().unstarted(() -> {}).threadId());
    }
    ids.add(id);
    ids.add(Thread.currentThread().threadId());
    assertThat(ids).hasSize(102);
  }

  @Test
  void theGroupIsThatOfAllVirtualThreadsUntilItEnds() throws Exception {
    Thread thread = Thread.ofVirtual().unstarted(LockSupport::park);
    ThreadGroup group = thread.getThreadGroup();
    assertThat(group.getName()).isEqualTo("VirtualThreads");
    thread.start();
    assertThat(thread.getThreadGroup()).isSameAs(group);
    assertThat(call(() -> Thread.currentThread().getThreadGroup()).result()).isSameAs(group);
    LockSupport.unpark(thread);
    thread.join();
    assertThat(thread.getThreadGroup()).isNull();
  }

  @Test
  void itsPlatformChildrenAndSubgroupsAreInItsGroup() throws Exception {
    virtually(
        () -> {
          ThreadGroup group = Thread.currentThread().getThreadGroup();
          assertThat(new Thread(() -> {}).getThreadGroup()).isSameAs(group);
          ThreadGroup child = new ThreadGroup("child");
          assertThat(child.getParent()).isSameAs(group);
          assertThat(group.getMaxPriority()).isEqualTo(Thread.MAX_PRIORITY);
          group.setMaxPriority(Thread.MAX_PRIORITY - 1);
          assertThat(group.getMaxPriority()).isEqualTo(Thread.MAX_PRIORITY);
          assertThat(child.getMaxPriority()).isEqualTo(Thread.MAX_PRIORITY - 1);
        });
  }

  @Test
  void noGroupCountsVirtualThreads() throws Exception {
    virtually(
        () -> {
          ThreadGroup group = Thread.currentThread().getThreadGroup();
          Thread[] threads = new Thread[100];
          int n = group.enumerate(threads, true);
          assertThat(Stream.of(threads).limit(n)).noneMatch(Thread::isVirtual);
          n = group.enumerate(threads, false);
          assertThat(Stream.of(threads).limit(n)).noneMatch(Thread::isVirtual);
        });
  }

  @Test
  void allStackTracesAreThoseOfPlatformThreadsAndAmongThemCarriers() throws Exception {
    virtually(
        () -> {
          Map<Thread, StackTraceElement[]> all = Thread.getAllStackTraces();
          assertThat(all.keySet()).noneMatch(Thread::isVirtual);
          String carriers = World.current().carriers();
          assertThat(all.keySet()).anyMatch(thread -> thread.getName().startsWith(carriers));
        });
  }

  @Test
  void equalsAndHashCodeStay() throws Exception {
    Thread one = Thread.ofVirtual().unstarted(LockSupport::park);
    Thread other = Thread.ofVirtual().unstarted(LockSupport::park);
    int hash = one.hashCode();
    one.start();
    assertThat(one).isEqualTo(one).isNotEqualTo(other);
    assertThat(one.hashCode()).isEqualTo(hash);
    LockSupport.unpark(one);
    one.join();
    assertThat(one).isEqualTo(one).isNotEqualTo(other);
    assertThat(one.hashCode()).isEqualTo(hash);
  }

  @Test
  void toStringHasNumberNameAndState() throws Exception {
    Thread thread = Thread.ofVirtual().name("fred").unstarted(LockSupport::park);
    String begin = "VirtualThread[#" + thread.threadId() + ",fred]/";
    assertThat(thread.toString()).isEqualTo(begin + "new");
    thread.start();
    await(thread, Thread.State.WAITING);
    until(() -> thread.toString().equals(begin + "waiting"));
    LockSupport.unpark(thread);
    thread.join();
    assertThat(thread.toString()).isEqualTo(begin + "terminated");
  }

  @Test
  void toStringNamesTheCarrierOfARunningThread() throws Exception {
    assertThat(call(() -> Thread.currentThread().toString()).result())
        .matches("VirtualThread\\[#\\d+\\]/runnable@" + World.current().carriers() + ".*");
  }
}
