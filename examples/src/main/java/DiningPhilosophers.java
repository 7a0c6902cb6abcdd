/*
 * Five philosophers share five forks; to eat, a philosopher needs the two forks beside the plate.
 * If all take the left fork first, at some moment each holds one fork and waits for the other: the
 * deadlock detector reports it. If each takes the fork with the lower number first ("ordered"), all
 * of them can eat.
 */

import static io.heddle.Go.go;

import io.heddle.*;

final List<String> names = List.of("Laozi", "Hypatia", "Averroes", "Hume", "Arendt");

record Fork(int number) {}

record Philosopher(String name, Chan<Fork> first, Chan<Fork> second) {
  void dine(int meals, Sender<String> full) throws InterruptedException {
    for (int i = 0; i < meals; i++) {
      eat();
    }
    full.send(name);
  }

  void eat() throws InterruptedException {
    Fork inOneHand = first.receive();
    Go.gosched(); // a pause to think
    Fork inTheOther = second.receive();
    second.send(inTheOther);
    first.send(inOneHand);
  }
}

void main(String[] args) throws Exception {
  boolean ordered = isOrdered(args);
  try {
    Go.main(() -> dine(ordered));
  } catch (DeadlockException e) {
    System.err.println(e.getMessage() + "\n\n" + e.dump());
    System.exit(2);
  }
}

void dine(boolean ordered) throws InterruptedException {
  int meals = ordered ? 3 : Integer.MAX_VALUE; // they would eat forever if they could
  Chan<String> full = Chan.make();
  for (Philosopher philosopher : seat(ordered)) {
    go(philosopher.name(), () -> philosopher.dine(meals, full));
  }
  for (int i = 0; i < names.size(); i++) {
    IO.println(full.receive() + " has had " + meals + " meals");
  }
}

List<Philosopher> seat(boolean ordered) throws InterruptedException {
  List<Chan<Fork>> table = layTable();
  List<Philosopher> philosophers = new ArrayList<>();
  for (int left = 0; left < names.size(); left++) {
    int right = (left + 1) % names.size();
    boolean leftFirst = !ordered || left < right;
    Chan<Fork> first = table.get(leftFirst ? left : right);
    Chan<Fork> second = table.get(leftFirst ? right : left);
    philosophers.add(new Philosopher(names.get(left), first, second));
  }
  return philosophers;
}

/** A fork that is not in use lies in its own channel. */
List<Chan<Fork>> layTable() throws InterruptedException {
  List<Chan<Fork>> table = new ArrayList<>();
  for (int i = 0; i < names.size(); i++) {
    Chan<Fork> place = Chan.make(1);
    place.send(new Fork(i));
    table.add(place);
  }
  return table;
}

boolean isOrdered(String[] args) {
  String how = args.length == 0 ? "greedy" : String.join(" ", args);
  if (!List.of("greedy", "ordered").contains(how)) {
    System.err.println("How do they take the forks? Allowed is greedy or ordered, not: " + how);
    System.exit(2);
  }
  return how.equals("ordered");
}
