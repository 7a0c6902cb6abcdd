package io.heddle.spring;

import io.heddle.Scheduler;
import io.heddle.spring.HeddleProperties.OwnScheduler;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Makes the scheduler: the shared one of the program, or one of the application's own if a setting
 * {@code heddle.scheduler.*} asks for it. The latter ends with the application.
 */
final class SchedulerFactoryBean implements FactoryBean<Scheduler>, DisposableBean {
  private static final Log LOG = LogFactory.getLog(SchedulerFactoryBean.class);

  private final ObjectProvider<HeddleProperties> properties;
  private final String applicationName;
  private @Nullable Scheduler scheduler;
  private boolean isOwn;
  private Duration shutdownTimeout = Duration.ZERO;

  /** Reads the properties later, because Spring may create this bean early to learn its type. */
  SchedulerFactoryBean(ObjectProvider<HeddleProperties> properties, String applicationName) {
    this.properties = properties;
    this.applicationName = applicationName;
  }

  @Override
  public Class<?> getObjectType() {
    return Scheduler.class;
  }

  @Override
  public synchronized Scheduler getObject() {
    Scheduler made = scheduler;
    if (made == null) {
      made = make();
      scheduler = made;
      LOG.info("Goroutines run on " + made);
    }
    return made;
  }

  private Scheduler make() {
    OwnScheduler settings = properties.getObject().scheduler();
    shutdownTimeout = properties.getObject().shutdownTimeout();
    isOwn = settings.isWanted();
    if (isOwn) {
      String name = settings.name();
      return make("heddle.scheduler.", name == null ? applicationName : name, settings);
    }
    return checked(Scheduler::shared);
  }

  /** Makes a scheduler; {@code prefix} is that of its settings, for messages. */
  static Scheduler make(String prefix, String name, OwnScheduler settings) {
    Scheduler.Builder builder = Scheduler.builder().name(name);
    set(prefix + "procs", settings.procs(), builder::procs);
    set(prefix + "max-threads", settings.maxThreads(), builder::maxThreads);
    set(prefix + "time-slice", settings.timeSlice(), builder::timeSlice);
    set(prefix + "overload", settings.overload(), builder::overload);
    if (settings.background() != null && settings.background()) {
      Scheduler.Builder _ = builder.background();
    }
    return checked(builder::build);
  }

  private static Scheduler checked(Supplier<Scheduler> make) {
    try {
      return make.get();
    } catch (IllegalStateException e) {
      throw isJavaLangOpen() ? e : new JavaLangNotOpenException(e);
    }
  }

  /** Passes on a setting, and names it if its value is not allowed. */
  private static <T> void set(String property, @Nullable T value, Consumer<T> setter) {
    if (value != null) {
      try {
        setter.accept(value);
      } catch (IllegalArgumentException e) {
        throw new InvalidConfigurationPropertyValueException(
            property, value, String.valueOf(e.getMessage()));
      }
    }
  }

  private static boolean isJavaLangOpen() {
    return Object.class.getModule().isOpen("java.lang", Scheduler.class.getModule());
  }

  @Override
  public void destroy() throws InterruptedException {
    Scheduler own = scheduler;
    if (own != null && isOwn) {
      end(own, shutdownTimeout);
    }
  }

  /**
   * Waits for the goroutines, then interrupts them, and does not wait longer than the timeout for
   * both: another thread closes the scheduler, because closing waits without a limit.
   */
  static void end(Scheduler own, Duration shutdownTimeout) throws InterruptedException {
    if (!closed(own::close, shutdownTimeout)) {
      LOG.warn(
          own.goroutines()
              + " goroutines still run "
              + shutdownTimeout
              + " after the end of the application, and are interrupted:\n"
              + own.dumpGrouped());
      if (!closed(own::shutdownNow, Duration.ofSeconds(1))) {
        LOG.warn("goroutines of " + own + " ignore the interrupt and are left behind");
      }
    }
  }

  private static boolean closed(Runnable close, Duration timeout) throws InterruptedException {
    return Thread.ofPlatform().daemon().name("heddle-close").start(close).join(timeout);
  }
}
