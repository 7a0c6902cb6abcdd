package io.heddle.internal.dashboard;

import com.sun.net.httpserver.HttpServer;
import io.heddle.internal.inspect.ForeignThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A web server with one page: what the schedulers of this process do. */
final class Dashboard implements AutoCloseable {
  /*
   * Its threads are daemons and platform threads of their own, in a group by which the deadlock detector knows that they
   * wake nobody: a program ends, or is told that it cannot go on, as if they were not there. They are no goroutines, since
   * those would be seen on the page, and would stand still when what they show does.
   */

  /** One for each that watches, and some for those that ask for something. */
  private static final int MOST_THREADS = EventStreams.MOST + 32;

  private static final int BACKLOG = 64;
  private static final int TOKEN_BYTES = 16;

  private final HttpServer server;
  private final HttpThreads listeners;
  private final Routes site;
  private final String url;

  private Dashboard(
      Address address, @Nullable String token, RefreshRate pace, @Nullable TraceStarter tracer)
      throws IOException {
    InetSocketAddress bound = address.toBind();
    boolean isLoopback = bound.getAddress().isLoopbackAddress();
    String needed = token != null || isLoopback ? token : newToken();
    ThreadFactory factory = new DashboardThreads();
    this.server = HttpServer.create(bound, BACKLOG);
    this.listeners = new HttpThreads(MOST_THREADS, factory);
    this.site =
        new Routes(new Guard(address, isLoopback, needed), listeners, pace, factory, tracer);
    server.setExecutor(listeners);
    server.createContext("/", site);
    server.start();
    this.url =
        "http://"
            + hostOf(server.getAddress())
            + ":"
            + server.getAddress().getPort()
            + "/"
            + (needed == null ? "" : "?token=" + needed);
  }

  /** On a daemon thread of the onlookers: those that the JDK's server starts are then like it. */
  static Dashboard open(
      Address address, @Nullable String token, RefreshRate pace, @Nullable TraceStarter tracer)
      throws IOException {
    return new Dashboard(address, token, pace, tracer);
  }

  /** With the token, if there is one. */
  String url() {
    return url;
  }

  /** Whether somebody has opened the page. */
  boolean wasSeen() {
    return site.wasSeen();
  }

  /** Whether somebody watches, and so a thread looks. */
  boolean isLooking() {
    return site.isLooking();
  }

  int watchers() {
    return site.watchers();
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    listeners.shutdownNow();
  }

  private static String newToken() {
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  /** Where it listens; on all addresses, one that is its own. */
  private static String hostOf(InetSocketAddress bound) throws IOException {
    InetAddress address = bound.getAddress();
    String host =
        (address.isAnyLocalAddress() ? InetAddress.getLocalHost() : address).getHostAddress();
    return host.indexOf(':') < 0 ? host : "[" + host + "]";
  }

  private static final class DashboardThreads implements ThreadFactory {
    private final ThreadGroup group = new ThreadGroup(ForeignThreads.ONLOOKERS);
    private final AtomicInteger number = new AtomicInteger();

    @Override
    public Thread newThread(Runnable task) {
      return Thread.ofPlatform()
          .daemon()
          .group(group)
          .inheritInheritableThreadLocals(false)
          .name("heddle-dashboard-" + number.incrementAndGet())
          .unstarted(task);
    }
  }
}
