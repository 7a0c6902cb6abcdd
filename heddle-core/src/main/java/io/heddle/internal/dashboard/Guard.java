package io.heddle.internal.dashboard;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who may see the page: whoever asks for it by its own name, from itself, and with the token if there is one. */
final class Guard {
  /*
   * Another site's page may make a browser here ask us for things, with the browser's cookies. It cannot read the answer,
   * since we never say that it may (no CORS headers), unless it has a name server say that its own name is this machine:
   * then it asks for that name (Host). What changes something is asked for by POST, and those name the page they come from
   * (Origin). A browser that says by itself that another site asks (Sec-Fetch-Site) is refused at once.
   */
  private static final String COOKIE = "heddle-token";
  private static final int LONGEST_QUERY = 2_000;
  private static final int LONGEST_BODY = 1_000;

  private final Address address;
  private final boolean isLoopback;
  private final @Nullable String token;

  /** {@code token} is null where none is asked for. */
  Guard(Address address, boolean isLoopback, @Nullable String token) {
    this.address = address;
    this.isLoopback = isLoopback;
    this.token = token;
  }

  /** Why a request is not answered. */
  record Refusal(int status, String why) {}

  /** Null if nothing speaks against it. */
  @Nullable Refusal refusal(HttpExchange exchange) {
    Headers headers = exchange.getRequestHeaders();
    String host = headers.getFirst("Host");
    if (host == null || isSaidTwice(headers.get("Host")) || !address.isMeantBy(host, isLoopback)) {
      return new Refusal(
          403, "The host \"" + host + "\" is not this page's: ask for localhost or its address.");
    }
    String site = headers.getFirst("Sec-Fetch-Site");
    boolean isPage = exchange.getRequestURI().getPath().equals("/");
    if (site != null && !isPage && !Set.of("same-origin", "none").contains(site)) {
      return new Refusal(403, "Another site's page asks for this.");
    }
    String query = exchange.getRequestURI().getRawQuery();
    if (query != null && query.length() > LONGEST_QUERY) {
      return new Refusal(414, "The query is longer than " + LONGEST_QUERY + " characters.");
    }
    return switch (exchange.getRequestMethod()) {
      case "GET", "HEAD" -> withoutToken(exchange);
      case "POST" -> forPost(exchange, host);
      default -> new Refusal(405, "Only GET, HEAD and POST are understood.");
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
      return new Refusal(413, "The body is longer than " + LONGEST_BODY + " bytes.");
    }
    return withoutToken(exchange);
  }

  private static boolean isShort(String length) {
    return length.matches("\\d{1,4}") && Integer.parseInt(length) <= LONGEST_BODY;
  }

  private @Nullable Refusal withoutToken(HttpExchange exchange) {
    if (token == null || isToken(cookie(exchange)) || isToken(inQuery(exchange))) {
      return null;
    }
    return new Refusal(
        401, "A token is needed: open the address that the program has printed at its start.");
  }

  /** Whether the address itself has the token, which then goes to a cookie, out of sight. */
  boolean isInvited(HttpExchange exchange) {
    return token != null && isToken(inQuery(exchange));
  }

  /** For the answer to who is invited. */
  String cookieToSet() {
    return COOKIE + "=" + token + "; HttpOnly; SameSite=Strict; Path=/";
  }

  /** In a time that does not tell how much of it is right. */
  private boolean isToken(@Nullable String given) {
    return token != null
        && given != null
        && MessageDigest.isEqual(
            given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
  }

  private static @Nullable String inQuery(HttpExchange exchange) {
    return Query.of(exchange.getRequestURI()).text("token");
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
