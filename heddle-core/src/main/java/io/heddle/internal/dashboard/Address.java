package io.heddle.internal.dashboard;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Locale;

/**
 * Where the page is served.
 *
 * @param host as it was given; empty for this machine alone
 * @param port 0 for any that is free
 */
record Address(String host, int port) {
  private static final int MAX_PORT = 65_535;

  /**
   * {@code PORT} or {@code HOST:PORT}.
   *
   * @throws IllegalArgumentException if it makes no sense
   */
  static Address parse(String where, String text) {
    String t = text.strip();
    int colon = t.lastIndexOf(':');
    String host = colon < 0 ? "" : t.substring(0, colon);
    try {
      int port = Integer.parseInt(t.substring(colon + 1));
      if (port >= 0 && port <= MAX_PORT && (colon != 0)) {
        return new Address(host, port);
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(
        where
            + " is \""
            + text
            + "\": allowed is a port from 0 (any that is free) to 65535, or HOST:PORT");
  }

  InetSocketAddress toBind() throws UnknownHostException {
    return new InetSocketAddress(
        host.isEmpty() ? InetAddress.getLoopbackAddress() : InetAddress.getByName(bare(host)),
        port);
  }

  /**
   * Whether a browser that asks for {@code hostHeader} means this page. A name that somebody else's name server makes
   * point here is refused: so could a page from there be read by its scripts.
   */
  boolean isMeantBy(String hostHeader, boolean isLoopback) {
    String name = nameIn(hostHeader);
    if (name.equals("localhost") || (!host.isEmpty() && name.equalsIgnoreCase(host))) {
      return true;
    }
    return isLoopback ? isLoopbackLiteral(name) : isLiteral(name);
  }

  /** Without the port, in lower case. The port is not looked at: it may be forwarded from another one. */
  private static String nameIn(String hostHeader) {
    int colon = hostHeader.lastIndexOf(':');
    boolean hasPort = colon > hostHeader.lastIndexOf(']');
    return (hasPort ? hostHeader.substring(0, colon) : hostHeader).toLowerCase(Locale.ROOT);
  }

  private static boolean isLoopbackLiteral(String name) {
    return name.equals("[::1]") || (isLiteral(name) && name.startsWith("127."));
  }

  /** A number, for which nobody asks a name server. */
  private static boolean isLiteral(String name) {
    boolean isV6 = name.startsWith("[") && name.endsWith("]") && name.indexOf(':') > 0;
    return isV6 || name.matches("\\d{1,3}(\\.\\d{1,3}){3}");
  }

  private static String bare(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }
}
