package io.heddle.spring;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the starter. The settings of the library, such as {@code heddle.procs}, are
 * system properties and environment variables as in any other program.
 *
 * @param enabled Whether the application runs on goroutines. If not, the starter does nothing.
 * @param shutdownTimeout How long the end of the application waits for goroutines of a scheduler of
 *     its own.
 * @param scheduler A scheduler of the application's own. Without any of these settings it is the
 *     one that the whole program shares.
 * @param schedulers Schedulers for parts of the application, by name.
 * @param webServer The requests of Tomcat and Jetty.
 * @param taskExecution The tasks of applicationTaskExecutor, and so of "@Async".
 * @param taskScheduling The tasks of taskScheduler, and so of "@Scheduled".
 * @param kafka The listeners of Kafka.
 * @param grpc The calls of a gRPC server.
 * @param metrics The meters of heddle-micrometer.
 */
@ConfigurationProperties("heddle")
public record HeddleProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("30s") Duration shutdownTimeout,
    @DefaultValue OwnScheduler scheduler,
    @DefaultValue Map<String, OwnScheduler> schedulers,
    @DefaultValue WebServer webServer,
    @DefaultValue Part taskExecution,
    @DefaultValue Part taskScheduling,
    @DefaultValue Part kafka,
    @DefaultValue Part grpc,
    @DefaultValue Metrics metrics) {

  /**
   * A scheduler of the application's own.
   *
   * @param name Name in dumps, JMX and thread names. Default: spring.application.name.
   * @param procs Number of goroutines that run at the same time. Default: the setting heddle.procs
   *     of the library, or else the number of CPUs.
   * @param maxThreads Largest number of OS threads. Default: the setting heddle.maxthreads of the
   *     library, or else 10000.
   * @param timeSlice How long a goroutine may compute while others wait. Default: the setting
   *     heddle.timeslice of the library, or else 10 ms.
   * @param background Whether it is for background work: its OS threads have a low priority.
   * @param overload How long goroutines may wait until requests are refused with status 503.
   *     Default: the setting heddle.overload of the library, or else no request is refused.
   */
  public record OwnScheduler(
      @Nullable String name,
      @Nullable Integer procs,
      @Nullable Integer maxThreads,
      @Nullable Duration timeSlice,
      @Nullable Boolean background,
      @Nullable Duration overload) {

    boolean isWanted() {
      return name != null
          || procs != null
          || maxThreads != null
          || timeSlice != null
          || background != null
          || overload != null;
    }
  }

  /**
   * A part of the application.
   *
   * @param enabled Whether it runs on goroutines. If not, Boot's own configuration applies to it.
   * @param scheduler The name of its scheduler in heddle.schedulers. Default: the application's.
   */
  public record Part(@DefaultValue("true") boolean enabled, @Nullable String scheduler) {}

  /**
   * The web server.
   *
   * @param enabled Whether it runs on goroutines. If not, Boot's own configuration applies to it.
   * @param scheduler The name of its scheduler in heddle.schedulers. Default: the application's.
   * @param overloadExclude The beginnings of paths for which the overload control refuses no
   *     request.
   */
  public record WebServer(
      @DefaultValue("true") boolean enabled,
      @Nullable String scheduler,
      @DefaultValue("/actuator") List<String> overloadExclude) {}

  /**
   * The meters of heddle-micrometer.
   *
   * @param enabled Whether the figures of the schedulers are meters of the application.
   */
  public record Metrics(@DefaultValue("true") boolean enabled) {}

  /** Returns the name of the scheduler of a part; null if it is the one of the application. */
  @Nullable String schedulerOf(String part) {
    return switch (part) {
      case "web-server" -> webServer.scheduler();
      case "task-execution" -> taskExecution.scheduler();
      case "task-scheduling" -> taskScheduling.scheduler();
      case "kafka" -> kafka.scheduler();
      case "grpc" -> grpc.scheduler();
      default -> throw new IllegalArgumentException("no part " + part);
    };
  }
}
