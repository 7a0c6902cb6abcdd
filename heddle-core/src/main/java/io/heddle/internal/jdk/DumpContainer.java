package io.heddle.internal.jdk;

import java.util.function.Supplier;
import java.util.stream.Stream;
import jdk.internal.vm.ThreadContainer;
import jdk.internal.vm.ThreadContainers;

/**
 * The thread container under which the JDK's thread dumps ({@code jcmd Thread.dump_to_file}) list a
 * scheduler's goroutines.
 *
 * <p>The JDK's own container for threads without an executor is a hash map of all such threads.
 * This container has no map. It asks the scheduler, which has a list of its goroutines anyway.
 */
final class DumpContainer extends ThreadContainer {
  private final String name;
  private final Supplier<Stream<Thread>> threads;
  private final Object key;

  /** Registers the container with thread dumps, until {@link #deregister}. */
  @SuppressWarnings("this-escape") // name and threads are set before this container is registered
  DumpContainer(String name, Supplier<Stream<Thread>> threads) {
    super(true);
    this.name = name;
    this.threads = threads;
    this.key = ThreadContainers.registerContainer(this);
  }

  @Override
  public String name() {
    return name;
  }

  /**
   * The goroutines that were started in this container. A goroutine that an executor started is in
   * the container of that executor, so it is not listed here.
   */
  @Override
  public Stream<Thread> threads() {
    return threads.get().filter(thread -> ThreadContainers.container(thread) == this);
  }

  void deregister() {
    ThreadContainers.deregisterContainer(key);
  }
}
