package io.heddle.internal.dashboard;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Locale;

/**
 * The address at which the page is served.
 *
 * @param host the host as configured; empty for the loopback interface
 * @param port the port; 0 for any free port
 */
record Address(String host, int port) {
  private static final int MAX_PORT = 65_535;

  /**
   * Parses {@code PORT} or {@code HOST:PORT}.
   *
   * @param where the name of the setting, for the error message
   * @throws IllegalArgumentException if {@code text} is invalid
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
      // not a number: the exception below reports this
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
   * Whether {@code hostHeader}, the Host header of a request, names this page. Accepted names are
   * {@code localhost}, the configured host, and numeric addresses. With {@code isLoopback} a
   * numeric address must also be a loopback address.
   *
   * <p>Other names are refused because of DNS rebinding: an attacker's name server could resolve
   * the name of the attacker's site to this machine. Scripts of that site could then read the page.
   *
   * @param isLoopback whether the server listens on the loopback interface only
   */
  boolean isMeantBy(String hostHeader, boolean isLoopback) {
    String name = nameIn(hostHeader);
    if (name.equals("localhost") || (!host.isEmpty() && name.equalsIgnoreCase(host))) {
      return true;
    }
    return isLoopback ? isLoopbackLiteral(name) : isLiteral(name);
  }

  /**
   * Returns the host name in lower case, without the port. The port is ignored, because it may be
   * forwarded.
   */
  private static String nameIn(String hostHeader) {
    int colon = hostHeader.lastIndexOf(':');
    boolean hasPort = colon > hostHeader.lastIndexOf(']');
    return (hasPort ? hostHeader.substring(0, colon) : hostHeader).toLowerCase(Locale.ROOT);
  }

  private static boolean isLoopbackLiteral(String name) {
    return name.equals("[::1]") || (isLiteral(name) && name.startsWith("127."));
  }

  /** Whether {@code name} is a numeric address, which needs no name server. */
  private static boolean isLiteral(String name) {
    boolean isV6 = name.startsWith("[") && name.endsWith("]") && name.indexOf(':') > 0;
    return isV6 || name.matches("\\d{1,3}(\\.\\d{1,3}){3}");
  }

  private static String bare(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }
}
