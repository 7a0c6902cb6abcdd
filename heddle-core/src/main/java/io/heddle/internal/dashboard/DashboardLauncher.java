package io.heddle.internal.dashboard;

import io.heddle.internal.inspect.ForeignThreads;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Starts the dashboard if the program was started with {@code heddle.dashboard}. Whatever goes wrong is said on standard
 * error, and the program runs on without.
 */
public final class DashboardLauncher {
  public static final String PROPERTY = "heddle.dashboard";
  private static final String TOKEN = "heddle.dashboard.token";
  private static final String LINGER = "heddle.dashboard.linger";

  /** It takes a tenth of that; a program is not kept from its start for longer. */
  private static final long PATIENCE = 5_000;

  private static final long QUICK = 10_000_000_000L;
  private static final String ON = "the program runs without the dashboard";
  private static final AtomicBoolean DONE = new AtomicBoolean();

  private DashboardLauncher() {}

  /** The first time it is called. {@code tracer} is null where traces cannot be taken. */
  public static void startOnce(@Nullable TraceStarter tracer) {
    String text = setting(PROPERTY);
    if (text == null || !DONE.compareAndSet(false, true)) {
      return;
    }
    // On a thread that those of the JDK's server take after: see Dashboard.
    Thread starter =
        Thread.ofPlatform()
            .daemon()
            .group(new ThreadGroup(ForeignThreads.ONLOOKERS))
            .inheritInheritableThreadLocals(false)
            .name("heddle-dashboard")
            .unstarted(() -> start(text, tracer));
    starter.start();
    try {
      starter.join(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void start(String text, @Nullable TraceStarter tracer) {
    try {
      String where = System.getProperty(PROPERTY) == null ? variable(PROPERTY) : PROPERTY;
      Address address = Address.parse(where, text);
      Dashboard dashboard = open(address, tracer);
      String url = dashboard.url();
      say("dashboard at " + url);
      if ("true".equals(setting(LINGER))) {
        KeepAlive.begin(
            () -> say("the program has ended; " + url + " stays until you press Ctrl-C"));
      } else {
        watchTheEnd(dashboard);
      }
    } catch (LinkageError e) {
      say(
          "the dashboard needs the module jdk.httpserver: --add-modules jdk.httpserver adds it; "
              + ON);
    } catch (IllegalArgumentException e) {
      say(e.getMessage() + "; " + ON);
    } catch (Throwable t) {
      say("the dashboard cannot be started: " + t + "; " + ON);
    }
  }

  /** Of a quick program nobody sees the page, and wonders. */
  private static void watchTheEnd(Dashboard dashboard) {
    long start = System.nanoTime();
    Runnable end =
        () -> {
          if (!dashboard.wasSeen() && System.nanoTime() - start < QUICK) {
            say(
                "the program has ended before anybody saw the page: 'heddle run --linger', or -D"
                    + LINGER
                    + "=true, leaves it until Ctrl-C");
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
