package io.heddle.internal.dashboard;

import io.heddle.internal.inspect.ForeignThreads;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Starts the dashboard if {@code heddle.dashboard} is set. A failure is reported on standard error,
 * and the program continues without the dashboard.
 */
public final class DashboardLauncher {
  /** The system property with the port or {@code HOST:PORT}. */
  public static final String PROPERTY = "heddle.dashboard";

  private static final String TOKEN = "heddle.dashboard.token";
  private static final String LINGER = "heddle.dashboard.linger";

  /**
   * The longest time that the program waits for the start of the server. The start usually takes a
   * tenth of this time.
   */
  private static final long MAX_START_MILLIS = 5_000;

  /**
   * If a program runs for less than this time and the page was never opened, a hint is printed at
   * the end of the program.
   */
  private static final long SHORT_RUN_NANOS = 10_000_000_000L;

  private static final String CONSEQUENCE = "the program runs without the dashboard";
  private static final AtomicBoolean DONE = new AtomicBoolean();

  private DashboardLauncher() {}

  /**
   * Starts the dashboard at the first call, if it is configured. Waits until the start has
   * succeeded or failed, but at most {@link #MAX_START_MILLIS}. If the caller is interrupted,
   * returns at once with the interrupt flag set.
   *
   * @param tracer takes traces for the page; null if this is not supported
   */
  public static void startOnce(@Nullable TraceStarter tracer) {
    String text = setting(PROPERTY);
    if (text == null || !DONE.compareAndSet(false, true)) {
      return;
    }
    // The threads of the JDK's server inherit the properties of this starter thread: see
    // Dashboard.open.
    Thread starter =
        Thread.ofPlatform()
            .daemon()
            .group(ForeignThreads.newOnlookers())
            .inheritInheritableThreadLocals(false)
            .name("heddle-dashboard")
            .unstarted(() -> start(text, tracer));
    starter.start();
    try {
      starter.join(MAX_START_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void start(String text, @Nullable TraceStarter tracer) {
    try {
      String where = System.getProperty(PROPERTY) == null ? variable(PROPERTY) : PROPERTY;
      Address address = Address.parse(where, text);
      Dashboard dashboard = open(address, tracer);
      UsageTables.show();
      String url = dashboard.url();
      say("dashboard at " + url);
      if ("true".equals(setting(LINGER))) {
        KeepAlive.begin(
            () -> say("the program has ended; " + url + " stays open until you press Ctrl-C"));
      } else {
        watchTheEnd(dashboard);
      }
    } catch (LinkageError e) {
      say(
          "the dashboard needs the module jdk.httpserver: --add-modules jdk.httpserver adds it; "
              + CONSEQUENCE);
    } catch (IllegalArgumentException e) {
      say(e.getMessage() + "; " + CONSEQUENCE);
    } catch (Throwable t) {
      say("the dashboard cannot be started: " + t + "; " + CONSEQUENCE);
    }
  }

  /** Prints a hint if the program ends quickly and the page was never opened. */
  private static void watchTheEnd(Dashboard dashboard) {
    long start = System.nanoTime();
    Runnable end =
        () -> {
          if (!dashboard.wasSeen() && System.nanoTime() - start < SHORT_RUN_NANOS) {
            say(
                "the program has ended before the page was opened: 'heddle run --linger' or -D"
                    + LINGER
                    + "=true keeps the page until Ctrl-C");
          }
        };
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("heddle-dashboard-end").unstarted(end));
  }

  private static Dashboard open(Address address, @Nullable TraceStarter tracer) {
    try {
      return Dashboard.open(address, setting(TOKEN), RefreshRate.USUAL, tracer);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the dashboard cannot listen at "
              + (address.host().isEmpty() ? "port " : address.host() + ":")
              + address.port()
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private static @Nullable String setting(String property) {
    String set = System.getProperty(property, System.getenv(variable(property)));
    return set == null || set.isBlank() ? null : set;
  }

  private static String variable(String property) {
    return property.replace('.', '_').toUpperCase(Locale.ROOT);
  }

  private static void say(String what) {
    System.err.println("heddle: " + what);
  }
}
