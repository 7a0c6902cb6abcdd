/*
 * Factors numbers in three concurrent stages: parse, factor (with several workers), print. The
 * stages are one group: if one fails, because a word is not a number, the others are cancelled.
 */

import static io.heddle.Select.*;

import io.heddle.*;

static final int WORKERS = 4;
static final String[] SOME = {"12", "97", "1001", "600851475143", "999999999999989"};

final Chan<Long> numbers = Chan.make();
final Chan<String> products = Chan.make();

void main(String[] args) throws Exception {
  try {
    Go.main(() -> run(args.length == 0 ? SOME : args));
  } catch (IllegalArgumentException e) {
    System.err.println(e.getMessage());
    System.exit(2);
  }
}

void run(String[] words) throws Exception {
  try (Group stages = new Group()) {
    stages.go(() -> parseAll(words));
    stages.go(() -> factorAll());
    stages.go(() -> printAll());
    stages.await();
  }
}

void parseAll(String[] words) throws InterruptedException {
  try {
    for (String word : words) {
      pass(parse(word), numbers);
    }
  } finally {
    numbers.close();
  }
}

void factorAll() throws Exception {
  try (Group workers = new Group()) {
    for (int i = 0; i < WORKERS; i++) {
      workers.go(() -> factor());
    }
    workers.await();
  } finally {
    products.close();
  }
}

void factor() throws InterruptedException {
  for (long n : numbers) {
    pass(n + " = " + product(n), products);
  }
}

void printAll() {
  for (String product : products) {
    IO.println(product);
  }
}

/** Sends {@code v} to the next stage, unless the group is cancelled. */
<T> void pass(T v, Sender<T> next) throws InterruptedException {
  Case<?> done = recv(Context.current().done());
  if (select(send(next, v), done) == done) {
    throw new CancellationException();
  }
}

long parse(String word) {
  if (!word.matches("[1-9][0-9]{0,14}")) {
    throw new IllegalArgumentException("Which numbers? From 1 to 999999999999999, not: " + word);
  }
  return Long.parseLong(word);
}

String product(long n) {
  List<Long> factors = new ArrayList<>();
  long rest = n;
  for (long p = 2; p <= rest / p; p++) {
    for (; rest % p == 0; rest /= p) {
      factors.add(p);
    }
  }
  if (rest > 1 || n == 1) {
    factors.add(rest);
  }
  return factors.stream().map(String::valueOf).collect(Collectors.joining(" * "));
}
