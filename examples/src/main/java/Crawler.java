/*
 * Finds the pages of a site, a few at a time, and broken links. Only one goroutine knows which
 * pages have been seen; the others fetch. Without the address of a site it crawls a small built-in
 * one.
 */

import static io.heddle.Go.go;

import com.sun.net.httpserver.*;
import io.heddle.*;
import java.net.*;
import java.net.http.*;

record Page(URI address, String status, List<URI> links) {}

static final int MOST = 100;
static final Pattern LINK = Pattern.compile("href=\"([^\"#]+)");
static final Map<String, String> SITE =
    Map.of(
        "/", "/loom /warp /weft",
        "/loom", "/ /heddle /shuttle",
        "/warp", "/heddle /weft",
        "/weft", "/shuttle /warp",
        "/heddle", "/loom",
        "/shuttle", "/bobbin");

final HttpClient http = HttpClient.newBuilder().executor(Scheduler.shared().executor()).build();
final Semaphore atOnce = new Semaphore(4);
final Chan<Page> fetched = Chan.make();

void main(String[] args) throws Exception {
  Go.main(() -> crawl(args.length == 0 ? openSite() : address(String.join(" ", args))));
}

void crawl(URI start) throws InterruptedException {
  Set<URI> seen = new HashSet<>(List.of(start));
  go(() -> fetched.send(fetch(start)));
  for (int awaited = 1; awaited > 0; awaited--) {
    Page page = fetched.receive();
    IO.println(page.status() + " " + page.address());
    for (URI link : page.links()) {
      boolean isHere = start.getAuthority().equals(link.getAuthority());
      if (isHere && seen.size() < MOST && seen.add(link)) {
        awaited++;
        go(() -> fetched.send(fetch(link)));
      }
    }
  }
  IO.println(seen.size() + " addresses");
}

Page fetch(URI address) throws InterruptedException {
  atOnce.acquire(1);
  try {
    HttpRequest get = HttpRequest.newBuilder(address).build();
    HttpResponse<String> answer = http.send(get, HttpResponse.BodyHandlers.ofString());
    return new Page(address, "" + answer.statusCode(), links(answer.body(), address));
  } catch (IOException | IllegalArgumentException e) {
    return new Page(address, e.toString(), List.of());
  } finally {
    atOnce.release(1);
  }
}

List<URI> links(String html, URI base) {
  return LINK.matcher(html).results().map(match -> base.resolve(match.group(1))).toList();
}

/** A server that ends with the program, because a goroutine opens it. */
URI openSite() throws IOException {
  InetSocketAddress anyPort = new InetSocketAddress("localhost", 0);
  HttpServer site = HttpServer.create(anyPort, 0, "/", this::answer);
  site.setExecutor(Scheduler.shared().executor());
  site.start();
  return URI.create("http://localhost:" + site.getAddress().getPort() + "/");
}

void answer(HttpExchange exchange) throws IOException {
  try (exchange) {
    String links = SITE.get(exchange.getRequestURI().getPath());
    String page = links == null ? "not here" : links.replaceAll("\\S+", "<a href=\"$0\">$0</a>");
    exchange.sendResponseHeaders(links == null ? 404 : 200, page.length());
    exchange.getResponseBody().write(page.getBytes());
  }
}

URI address(String text) {
  if (!text.matches("https?://[\\w.:-]+/[\\w./?&=~-]*")) {
    System.err.println("Which site? Something like http://localhost:8000/, not: " + text);
    System.exit(2);
  }
  return URI.create(text);
}
