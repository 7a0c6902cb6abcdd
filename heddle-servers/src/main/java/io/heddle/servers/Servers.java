package io.heddle.servers;

import acme.JdkServer;
import acme.JettyServer;
import acme.TomcatServer;
import acme.spring.SpringServer;
import java.util.List;

/** The servers that are put under load: unchanged programs on virtual threads. */
enum Servers {
  JETTY(JettyServer.class),
  TOMCAT(TomcatServer.class),
  SPRING(SpringServer.class),
  /**
   * Without the first flag each answer on a connection that is kept waits 40 ms for the client's acknowledgement;
   * without the second it closes what is idle beyond 200 connections, though the client may just ask again.
   */
  JDK(
      JdkServer.class,
      "-Dsun.net.httpserver.nodelay=true",
      "-Dsun.net.httpserver.maxIdleConnections=100000");

  private final Class<?> main;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<String> flags;

  Servers(Class<?> main, String... flags) {
    this.main = main;
    this.flags = List.of(flags);
  }

  Program start(Program.Under under) {
    return Program.server(under, main, flags.toArray(String[]::new));
  }
}
