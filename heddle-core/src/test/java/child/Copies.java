package child;

import io.heddle.Chan;
import io.heddle.Go;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Uses the copy of Heddle on the class path, and two more that loaders like those of web
 * applications load from the same jars.
 */
public final class Copies {
  private Copies() {}

  public static void main(String[] jars) throws Exception {
    System.out.println("class path " + Use.everything());
    URL[] urls = new URL[jars.length];
    for (int i = 0; i < jars.length; i++) {
      urls[i] = Path.of(jars[i]).toUri().toURL();
    }
    ClassLoader jdk = ClassLoader.getPlatformClassLoader();
    for (String name : new String[] {"first", "second"}) {
      // Not closed: threads of the copy may still load classes.
      ClassLoader loader = new URLClassLoader(name, urls, jdk);
      Class<?> use = Class.forName(Use.class.getName(), true, loader);
      System.out.println(name + " " + use.getMethod("everything").invoke(null));
    }
  }

  /** The part that each loader loads. */
  public static final class Use {
    private Use() {}

    /** Waits in goroutines in each way that the agent changes, and in a channel. */
    public static String everything() throws Exception {
      StringBuilder told = new StringBuilder();
      Go.main(
          () -> {
            Chan<String> words = Chan.make();
            Go.go(
                () -> {
                  Thread.sleep(1);
                  words.send(throughSocket());
                });
            told.append(words.receive());
            Go.sleep(Duration.ofMillis(1));
          });
      return told.toString();
    }

    private static String throughSocket() throws Exception {
      try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        Go.go(
            () -> {
              try (Socket near = new Socket(server.getInetAddress(), server.getLocalPort())) {
                Thread.sleep(1);
                near.getOutputStream().write(42);
              }
            });
        try (Socket far = server.accept()) {
          return "received " + far.getInputStream().read();
        }
      }
    }
  }
}
