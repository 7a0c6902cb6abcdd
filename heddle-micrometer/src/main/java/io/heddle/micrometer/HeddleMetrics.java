package io.heddle.micrometer;

import io.heddle.Scheduler;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;

/**
 * The figures of all {@linkplain Scheduler schedulers} of the program, also of those that are made
 * later, as meters of Micrometer.
 *
 * {@snippet :
 * HeddleMetrics metrics = new HeddleMetrics();
 * metrics.bindTo(registry);        // in Spring Boot a bean of this type is enough
 * }
 *
 * <p>The meters of a scheduler have the tag {@code scheduler}, its name. A second scheduler of
 * the same name has {@code #2} after it. When a scheduler is closed, its meters are removed.
 *
 * <p>The meters read the figures when they are asked. Counting the goroutines takes a pass over all
 * of them, at most ten times a second and for at most 5 % of the time.
 *
 * <p>In watch mode ({@code -javaagent:heddle.jar=watch}) there are also meters of the JDK's own
 * scheduler, {@code heddle.watch.*}, without the tag {@code scheduler}.
 *
 * <p>The guide of Heddle, page <i>Observability</i>, lists the meters. An instance can be bound to
 * several registries. All methods can be called from any thread.
 */
public final class HeddleMetrics implements MeterBinder, AutoCloseable {
  private final Tags tags;

  /** Guarded by itself. */
  private final List<Runnable> ends = new ArrayList<>();

  /** Makes a binder whose meters have the tag {@code scheduler}. */
  public HeddleMetrics() {
    this(Tags.empty());
  }

  /**
   * Makes a binder whose meters have further tags.
   *
   * @param tags the tags that each meter gets, besides {@code scheduler}
   */
  public HeddleMetrics(Iterable<Tag> tags) {
    this.tags = Tags.of(tags);
  }

  /**
   * Registers the meters of all schedulers, now and when further ones are made, until {@link
   * #close}. The shared scheduler has meters from its first use on.
   *
   * @param registry where the meters are registered
   */
  @Override
  public void bindTo(MeterRegistry registry) {
    RegistryMeters schedulers = RegistryMeters.follow(registry, tags);
    WatchMeters watch = WatchMeters.follow(registry, tags);
    synchronized (ends) {
      ends.add(schedulers::close);
      ends.add(watch::close);
    }
  }

  /** Removes the meters from all registries. */
  @Override
  public void close() {
    List<Runnable> all;
    synchronized (ends) {
      all = List.copyOf(ends);
      ends.clear();
    }
    all.forEach(Runnable::run);
  }
}
