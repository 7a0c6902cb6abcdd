/*
 * Clients send requests as fast as they can, and a server answers a fixed number per second: each
 * answer takes a permit out of a bucket. A ticker adds one permit per tick; a full bucket stays
 * full, so that a few requests are answered at once after a pause.
 */

import static io.heddle.Go.go;
import static io.heddle.Select.*;

import io.heddle.*;

static final int BURST = 3;
static final int REQUESTS = 4; // per client

final Chan<Instant> permits = Chan.make(BURST);
final Chan<String> requests = Chan.make();

void main(String[] args) throws Exception {
  Duration every = Duration.ofSeconds(1).dividedBy(rate(args));
  Go.main(() -> run(every));
}

void run(Duration every) throws InterruptedException {
  while (permits.trySend(Instant.now())) {} // start with a full bucket
  long start = System.nanoTime();
  try (Context.Cancelable context = Context.background().withCancel();
      Ticker ticker = new Ticker(every)) {
    go(() -> refill(context, ticker.ticks()));
    go(() -> askAll("red", "green", "blue"));
    serve(every, start);
  }
}

void refill(Context context, Receiver<Instant> ticks) throws InterruptedException {
  while (context.err() == null) {
    select(recv(ticks, tick -> permits.trySend(tick)), recv(context.done()));
  }
}

void askAll(String... clients) throws InterruptedException {
  WaitGroup asking = new WaitGroup();
  for (String client : clients) {
    asking.go(() -> ask(client));
  }
  asking.await();
  requests.close();
}

void ask(String client) throws InterruptedException {
  for (int i = 1; i <= REQUESTS; i++) {
    requests.send(client + " " + i);
  }
}

void serve(Duration every, long start) throws InterruptedException {
  int served = 0;
  int early = 0;
  for (String request : requests) {
    permits.receive();
    Duration at = Duration.ofNanos(System.nanoTime() - start);
    IO.println("%4d ms  %s".formatted(at.toMillis(), request));
    Duration due = every.multipliedBy(++served - BURST);
    early += at.compareTo(due) < 0 ? 1 : 0;
  }
  IO.println(served + " requests served, " + early + " of them early");
}

int rate(String[] args) {
  String rate = args.length == 0 ? "20" : String.join(" ", args);
  if (!rate.matches("[1-9][0-9]{0,2}")) {
    System.err.println("How many per second? A number from 1 to 999, not: " + rate);
    System.exit(2);
  }
  return Integer.parseInt(rate);
}
