/*
 * Prints the first primes with a chain of goroutines: each one knows one prime and passes on the
 * numbers that it does not divide.
 */

import static io.heddle.Go.go;

import io.heddle.*;

void main(String[] args) throws Exception {
  int n = howMany(args);
  Go.main(() -> sieve(n));
}

void sieve(int n) throws InterruptedException {
  Chan<Integer> numbers = Chan.make();
  go(() -> generate(numbers));
  Receiver<Integer> sieved = numbers;
  for (int i = 0; i < n; i++) {
    int prime = sieved.receive();
    IO.println(prime);
    sieved = without(prime, sieved);
  }
  IO.println(n + " primes, " + Go.goroutines() + " goroutines");
}

void generate(Sender<Integer> numbers) throws InterruptedException {
  for (int i = 2; ; i++) {
    numbers.send(i);
  }
}

Receiver<Integer> without(int prime, Receiver<Integer> numbers) {
  Chan<Integer> others = Chan.make();
  go(() -> filter(prime, numbers, others));
  return others;
}

void filter(int prime, Receiver<Integer> in, Sender<Integer> out) throws InterruptedException {
  for (int i : in) {
    if (i % prime != 0) {
      out.send(i);
    }
  }
}

int howMany(String[] args) {
  String n = args.length == 0 ? "10" : String.join(" ", args);
  if (!n.matches("[1-9][0-9]{0,2}")) {
    System.err.println("How many primes? A number from 1 to 999, not: " + n);
    System.exit(2);
  }
  return Integer.parseInt(n);
}
