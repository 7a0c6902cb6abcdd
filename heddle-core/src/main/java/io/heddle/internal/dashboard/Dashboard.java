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

/** A web server with one page, which shows what the schedulers of this process do. */
final class Dashboard implements AutoCloseable {
  /*
   * The threads of the dashboard must neither delay the end of a program nor hide a deadlock.
   * Therefore they are daemons. They are in a thread group of their own, by which the deadlock
   * detector knows that they wake no goroutine.
   *
   * They are platform threads and not goroutines. Otherwise the page would show them, and they
   * would stop together with the scheduler that they show.
   */

  /** The largest number of server threads: one for each event stream, and 32 for other requests. */
  private static final int MAX_THREADS = EventStreams.MAX_STREAMS + 32;

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
    this.listeners = new HttpThreads(MAX_THREADS, factory);
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

  /**
   * Starts the server. Must be called on a daemon thread of a group that {@link
   * ForeignThreads#newOnlookers} made. The reason is that the threads of the JDK's server inherit
   * the daemon status and the group.
   *
   * @param token the token that each request must have; null for none. If it is null and the
   *     address is not a loopback address, a random token is made and required.
   * @param pace the timing of the event streams
   * @param tracer takes traces for the page; null if this is not supported
   */
  static Dashboard open(
      Address address, @Nullable String token, RefreshRate pace, @Nullable TraceStarter tracer)
      throws IOException {
    return new Dashboard(address, token, pace, tracer);
  }

  /** Returns the URL of the page, with the token if there is one. */
  String url() {
    return url;
  }

  /** Whether a client has requested a file of the page, and was not refused. */
  boolean wasSeen() {
    return site.wasSeen();
  }

  /** Whether the sampling thread runs. It runs while there are open event streams. */
  boolean isLooking() {
    return site.isLooking();
  }

  /** Returns the number of open event streams. */
  int watchers() {
    return site.watchers();
  }

  /** Returns the port that the server listens on. */
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

  /**
   * Returns the host for the URL. If the server listens on all addresses, the result is an address
   * of this machine.
   */
  private static String hostOf(InetSocketAddress bound) throws IOException {
    InetAddress address = bound.getAddress();
    String host =
        (address.isAnyLocalAddress() ? InetAddress.getLocalHost() : address).getHostAddress();
    return host.indexOf(':') < 0 ? host : "[" + host + "]";
  }

  private static final class DashboardThreads implements ThreadFactory {
    private final ThreadGroup group = ForeignThreads.newOnlookers();
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
