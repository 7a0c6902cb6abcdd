package child;

import java.lang.instrument.Instrumentation;

/** An agent that loads a class of the JDK's sockets. */
public final class LoadsSockets {
  private LoadsSockets() {}

  public static void premain(String options, Instrumentation instrumentation) throws Exception {
    Class.forName("sun.nio.ch.NioSocketImpl", false, null);
  }
}
