package io.heddle.internal.dashboard;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests are answered. The Host header must name this page. A request must not come
 * from a page of another site. If a token is required, the request must have it.
 */
final class Guard {
  /*
   * Threat: a page of another site makes a browser on this machine send requests here, with the
   * browser's cookies.
   *   Reading: the other page cannot read the response, because no CORS header allows it. DNS
   *   rebinding would circumvent this; therefore the Host header must name this page.
   *   Changing: requests that change something must be POSTs, and their Origin header must be this
   *   page.
   * In addition, a request is refused if the header Sec-Fetch-Site says that it comes from another
   * origin. A request for the page itself is not refused, because a link on another site may lead
   * to the page.
   */
  private static final String COOKIE = "heddle-token";
  private static final String BEARER = "Bearer ";
  private static final int MAX_QUERY = 2_000;
  private static final int MAX_BODY = 1_000;

  private final Address address;
  private final boolean isLoopback;
  private final @Nullable String token;

  /** Creates a guard; {@code token} is null if none is required. */
  Guard(Address address, boolean isLoopback, @Nullable String token) {
    this.address = address;
    this.isLoopback = isLoopback;
    this.token = token;
  }

  /** A refusal of a request: the HTTP status and the reason, which is sent to the client. */
  record Refusal(int status, String why) {}

  /** Returns the refusal of the request; null if the request is allowed. */
  @Nullable Refusal refusal(HttpExchange exchange) {
    Headers headers = exchange.getRequestHeaders();
    String host = headers.getFirst("Host");
    if (host == null || isSaidTwice(headers.get("Host")) || !address.isMeantBy(host, isLoopback)) {
      return new Refusal(
          403,
          "The host \""
              + host
              + "\" is not this page: use localhost or the address of this machine.");
    }
    String site = headers.getFirst("Sec-Fetch-Site");
    boolean isPage = exchange.getRequestURI().getPath().equals("/");
    if (site != null && !isPage && !Set.of("same-origin", "none").contains(site)) {
      return new Refusal(403, "This request comes from a page of another site.");
    }
    String query = exchange.getRequestURI().getRawQuery();
    if (query != null && query.length() > MAX_QUERY) {
      return new Refusal(414, "The query is longer than " + MAX_QUERY + " characters.");
    }
    return switch (exchange.getRequestMethod()) {
      case "GET", "HEAD" -> withoutToken(exchange);
      case "POST" -> forPost(exchange, host);
      default -> new Refusal(405, "Only GET, HEAD and POST are supported.");
    };
  }

  private static boolean isSaidTwice(@Nullable List<String> header) {
    return header != null && header.size() > 1;
  }

  private @Nullable Refusal forPost(HttpExchange exchange, String host) {
    Headers headers = exchange.getRequestHeaders();
    String origin = headers.getFirst("Origin");
    if (origin == null
        || !origin.toLowerCase(Locale.ROOT).equals("http://" + host.toLowerCase(Locale.ROOT))) {
      return new Refusal(
          403, "A POST must come from this page itself: its Origin is " + origin + ".");
    }
    String length = headers.getFirst("Content-Length");
    if (headers.containsKey("Transfer-Encoding") || (length != null && !isShort(length))) {
      return new Refusal(413, "The body is longer than " + MAX_BODY + " bytes.");
    }
    return withoutToken(exchange);
  }

  private static boolean isShort(String length) {
    return length.matches("\\d{1,4}") && Integer.parseInt(length) <= MAX_BODY;
  }

  private @Nullable Refusal withoutToken(HttpExchange exchange) {
    if (token == null
        || isToken(cookie(exchange))
        || isToken(inQuery(exchange))
        || isToken(bearer(exchange))) {
      return null;
    }
    return new Refusal(
        401, "A token is required: open the address that the program printed at its start.");
  }

  /**
   * Whether the URL contains the token. The caller then sets a cookie with the token and redirects
   * to the URL without it, so that the token is no longer visible.
   */
  boolean isInvited(HttpExchange exchange) {
    return token != null && isToken(inQuery(exchange));
  }

  /** Returns the cookie with the token, for the response to an invited client. */
  String cookieToSet() {
    return COOKIE + "=" + token + "; HttpOnly; SameSite=Strict; Path=/";
  }

  /**
   * Whether {@code given} is the token; false if {@code given} is null or no token is required. The
   * comparison takes constant time, so that its duration does not reveal how many first characters
   * are right.
   */
  private boolean isToken(@Nullable String given) {
    return token != null
        && given != null
        && MessageDigest.isEqual(
            given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
  }

  private static @Nullable String inQuery(HttpExchange exchange) {
    return Query.of(exchange.getRequestURI()).text("token");
  }

  /**
   * Returns the token in the header {@code Authorization}, which tools such as Prometheus can send;
   * null if there is none. A page of another site cannot send this header: the browser first asks
   * this server for permission, which no response gives.
   */
  private static @Nullable String bearer(HttpExchange exchange) {
    String header = exchange.getRequestHeaders().getFirst("Authorization");
    boolean isBearer = header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length());
    return header != null && isBearer ? header.substring(BEARER.length()).strip() : null;
  }

  private static @Nullable String cookie(HttpExchange exchange) {
    for (String header : exchange.getRequestHeaders().getOrDefault("Cookie", List.of())) {
      for (String pair : header.split(";", -1)) {
        String p = pair.strip();
        if (p.startsWith(COOKIE + "=")) {
          return p.substring(COOKIE.length() + 1);
        }
      }
    }
    return null;
  }
}
