package io.heddle.servers;

import acme.JdkServer;
import acme.JettyServer;
import acme.TomcatServer;
import acme.spring.SpringServer;
import java.util.List;

/** The servers under load: unmodified programs on virtual threads. */
enum ServerKind {
  JETTY(JettyServer.class),
  TOMCAT(TomcatServer.class),
  SPRING(SpringServer.class),
  /**
   * Without the first flag, each answer on a kept connection waits 40 ms for the client's
   * acknowledgement. Without the second flag, the server closes idle connections beyond 200,
   * although the client may be about to send another request.
   */
  JDK(
      JdkServer.class,
      "-Dsun.net.httpserver.nodelay=true",
      "-Dsun.net.httpserver.maxIdleConnections=100000");

  private final Class<?> main;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<String> flags;

  ServerKind(Class<?> main, String... flags) {
    this.main = main;
    this.flags = List.of(flags);
  }

  ChildProgram start(ChildProgram.SchedulerChoice under) {
    return ChildProgram.server(under, main, flags.toArray(String[]::new));
  }
}
