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
  // Without it each answer on a connection that is kept waits 40 ms for the client's
  // acknowledgement.
  JDK(JdkServer.class, "-Dsun.net.httpserver.nodelay=true");

  private final Class<?> main;
  private final List<String> flags;

  Servers(Class<?> main, String... flags) {
    this.main = main;
    this.flags = List.of(flags);
  }

  Program start(Program.Under under) {
    return Program.server(under, main, flags.toArray(String[]::new));
  }
}
