package io.heddle.spring;

import io.heddle.Scheduler;
import io.heddle.spring.HeddleProperties.OwnScheduler;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * The schedulers of the parts of an application: {@code heddle.schedulers.NAME.*} makes a
 * scheduler, and {@code heddle.PART.scheduler=NAME} lets a part run on it. The other parts run on
 * the scheduler of the application.
 */
public final class HeddleSchedulers implements DisposableBean {
  private final ObjectProvider<Scheduler> applications;
  private final ObjectProvider<HeddleProperties> properties;
  private final Map<String, Scheduler> made = new TreeMap<>(); // guarded by this

  HeddleSchedulers(
      ObjectProvider<Scheduler> applications, ObjectProvider<HeddleProperties> properties) {
    this.applications = applications;
    this.properties = properties;
  }

  /**
   * Returns the scheduler that {@code heddle.schedulers.NAME.*} describes. It is made on first use.
   *
   * @param name the name
   * @return the scheduler
   * @throws IllegalArgumentException if there is no such setting
   */
  public synchronized Scheduler get(String name) {
    Scheduler known = made.get(name);
    if (known != null) {
      return known;
    }
    Map<String, OwnScheduler> described = properties.getObject().schedulers();
    OwnScheduler settings = described.get(name);
    if (settings == null) {
      throw new IllegalArgumentException(
          "there is no scheduler \"%s\": allowed are those of heddle.schedulers.*, %s"
              .formatted(name, described.keySet()));
    }
    Scheduler scheduler =
        SchedulerFactoryBean.make("heddle.schedulers." + name + ".", name, settings);
    made.put(name, scheduler);
    return scheduler;
  }

  /** Returns the scheduler of a part of the application, as in {@code web-server}. */
  Scheduler of(String part) {
    String name = properties.getObject().schedulerOf(part);
    return name == null ? applications.getObject() : ofPart(part, name);
  }

  private Scheduler ofPart(String part, String name) {
    try {
      return get(name);
    } catch (InvalidConfigurationPropertyValueException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationPropertyValueException(
          "heddle." + part + ".scheduler", name, String.valueOf(e.getMessage()));
    }
  }

  /** Ends the schedulers, with the timeout of each as for the one of the application. */
  @Override
  public synchronized void destroy() throws InterruptedException {
    for (Scheduler each : made.values()) {
      SchedulerFactoryBean.end(each, properties.getObject().shutdownTimeout());
    }
  }
}
