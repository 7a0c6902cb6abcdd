/*
 * Searches a number such that the SHA-256 of "heddle" followed by it begins with the given number
 * of zeros. A dealer hands out batches of numbers; the first worker that finds one cancels the
 * context, and all workers stop.
 */

import static io.heddle.Select.*;

import io.heddle.*;
import java.security.MessageDigest;

static final int WORKERS = 4;
static final int BATCH = 1_000;

final Chan<Integer> batches = Chan.make();
final Chan<String> found = Chan.make(WORKERS); // room for all: no worker must wait

void main(String[] args) throws Exception {
  String zeros = "0".repeat(howMany(args));
  Go.main(() -> search(zeros));
}

void search(String zeros) throws InterruptedException {
  WaitGroup pool = new WaitGroup();
  try (Context.Cancelable context = Context.background().withCancel()) {
    pool.go(() -> deal(context));
    for (int i = 0; i < WORKERS; i++) {
      pool.go(() -> work(context, zeros));
    }
    IO.println(found.receive());
  }
  pool.await();
  IO.println(WORKERS + " workers have gone home");
}

void deal(Context context) throws InterruptedException {
  for (int start = 0; context.err() == null; start += BATCH) {
    select(send(batches, start), recv(context.done()));
  }
  batches.close();
}

void work(Context context, String zeros) throws Exception {
  for (int start : batches) {
    for (int n = start; n < start + BATCH && context.err() == null; n++) {
      String hash = sha256("heddle" + n);
      if (hash.startsWith(zeros)) {
        found.send("heddle" + n + " " + hash);
        return;
      }
    }
  }
}

String sha256(String text) throws Exception {
  byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes());
  return HexFormat.of().formatHex(hash);
}

int howMany(String[] args) {
  String n = args.length == 0 ? "4" : String.join(" ", args);
  if (!n.matches("[1-6]")) {
    System.err.println("How many zeros? A number from 1 to 6, not: " + n);
    System.exit(2);
  }
  return Integer.parseInt(n);
}
