package io.heddle.internal.jdk;

import java.util.function.Supplier;
import java.util.stream.Stream;
import jdk.internal.vm.ThreadContainer;
import jdk.internal.vm.ThreadContainers;

/**
 * What the JDK's thread dumps ({@code jcmd Thread.dump_to_file}) show a scheduler's goroutines in, under its name.
 *
 * <p>The JDK's own container for threads that belong to no executor is a hash map of all of them. This one asks the
 * scheduler, which knows its goroutines anyway.
 */
final class DumpContainer extends ThreadContainer {
  private final String name;
  private final Supplier<Stream<Thread>> threads;
  private final Object key;

  /** Known to thread dumps from here to {@link #deregister}. */
  @SuppressWarnings("this-escape") // complete
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

  /** Those of the scheduler that were started here: a thread that an executor started is in that one's container. */
  @Override
  public Stream<Thread> threads() {
    return threads.get().filter(thread -> ThreadContainers.container(thread) == this);
  }

  void deregister() {
    ThreadContainers.deregisterContainer(key);
  }
}
