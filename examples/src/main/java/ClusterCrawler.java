/*
 * Finds all pages of a site by way of several processes, and counts which process has read how
 * many. The site is in memory, so there is nothing to download. Every process reads pages; the
 * process that is started with "crawl" also decides which.
 *
 * Start "work" in as many windows as you like, "crawl" in one more, and kill some of the workers:
 * their pages are read again by others.
 */

import static io.heddle.Go.go;

import io.heddle.*;
import io.heddle.cluster.*;
import java.util.concurrent.ConcurrentHashMap;

static final int PAGES = 1_000;
static final int BROKEN = 999;
static final int AT_ONCE = 32;

record CrawledPage(String url, List<String> links, String readBy) {}

void main(String[] args) throws Exception {
  if (args.length != 2 || !List.of("work", "crawl").contains(args[0])) {
    System.err.println("Two arguments: work or crawl, and an engine such as nats://127.0.0.1:4222");
    System.exit(2);
  }
  Go.main(
      () -> {
        try (Cluster cluster = Cluster.open(args[1])) {
          cluster.register(
              "read", String.class, CrawledPage.class, (_, url) -> read(cluster.id(), url));
          if (args[0].equals("crawl")) {
            crawl(cluster);
          } else {
            IO.println(cluster.id() + " reads pages until Ctrl-C");
            Chan.external("Ctrl-C", 0).receive();
          }
        }
      });
}

/** Each page is a call of the function that some process runs; a process that dies is no matter. */
void crawl(Cluster cluster) throws Exception {
  RemoteFunction<String, CrawledPage> read =
      cluster.function("read", String.class, CrawledPage.class).again(5);
  Set<String> seen = ConcurrentHashMap.newKeySet();
  Chan<CrawledPage> pages = Chan.make();
  Semaphore free = new Semaphore(AT_ONCE);
  Map<String, Integer> readBy = new TreeMap<>();
  Deque<String> next = new ArrayDeque<>(List.of("/0"));
  seen.add("/0");
  int underWay = 0;
  while (underWay > 0 || !next.isEmpty()) {
    while (!next.isEmpty()) {
      String url = next.remove();
      underWay++;
      go(
          () -> {
            free.acquire(1);
            pages.send(result(read, url));
            free.release(1);
          });
    }
    CrawledPage page = pages.receive();
    underWay--;
    readBy.merge(page.readBy(), 1, Integer::sum);
    page.links().stream().filter(seen::add).forEach(next::add);
  }
  IO.println(seen.size() + " pages");
  readBy.forEach((node, n) -> IO.println("  " + n + " read by " + node));
}

/** A page that cannot be read counts as one without links, so that the others are found. */
CrawledPage result(RemoteFunction<String, CrawledPage> read, String url)
    throws InterruptedException {
  try {
    return read.go(url).await();
  } catch (ClusterException e) {
    System.err.println(url + ": " + e.getMessage());
    return new CrawledPage(url, List.of(), "none");
  }
}

/** Reads a page of a site that is made up here: page n links to three others; one is broken. */
CrawledPage read(String node, String url) throws InterruptedException {
  int n = Integer.parseInt(url.substring(1));
  if (n == BROKEN) {
    throw new IllegalStateException("no such page");
  }
  Go.sleep(java.time.Duration.ofMillis(5)); // a slow site
  List<String> links = new ArrayList<>();
  for (int other : new int[] {2 * n + 1, 2 * n + 2, 7 * n % PAGES}) {
    if (other < PAGES) {
      links.add("/" + other);
    }
  }
  return new CrawledPage(url, links, node);
}
