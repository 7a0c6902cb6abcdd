/*
 * Three speakers talk at different speeds, and one listener hears all of them through one channel.
 * Two speakers finish; the third falls silent in mid-sentence, and the listener leaves after a
 * timeout.
 */

import static io.heddle.Go.go;
import static io.heddle.Select.*;

import io.heddle.*;

void main(String[] args) throws Exception {
  Duration patience = patience(args);
  Go.main(() -> listen(patience));
}

void listen(Duration patience) throws InterruptedException {
  Receiver<String> all =
      fanIn(
          List.of(
              talk("Ann", "a loom has a warp and a weft"),
              talk("Bob", "the shuttle carries one through the other"),
              talk("Cleo", "and the heddle ... what was it for ?")));
  Case<String> word = recv(all);
  Case<Void> silence =
      after(patience, () -> IO.println("nothing for " + patience.toMillis() + " ms"));
  while (select(word, silence) == word && word.value() != null) {
    IO.println(word.value());
  }
}

/** Merges the sources into one channel until all of them are closed. */
Receiver<String> fanIn(List<Receiver<String>> sources) {
  Chan<String> all = Chan.make();
  go(() -> pass(sources, all));
  return all;
}

void pass(List<Receiver<String>> sources, Sender<String> all) throws InterruptedException {
  List<Case<?>> open = new ArrayList<>();
  for (Receiver<String> source : sources) {
    open.add(recv(source));
  }
  while (!open.isEmpty()) {
    Case<?> fired = select(open.toArray(new Case<?>[0]));
    if (fired.value() instanceof String word) {
      all.send(word);
    } else {
      open.remove(fired);
    }
  }
  all.close();
}

Receiver<String> talk(String name, String text) {
  Chan<String> words = Chan.make();
  go(name, () -> say(text, name, words));
  return words;
}

void say(String text, String name, Sender<String> words) throws InterruptedException {
  for (String word : text.split(" ")) {
    Go.sleep(pauseBefore(word));
    words.send(name + ": " + word);
  }
  words.close();
}

Duration pauseBefore(String word) {
  return word.equals("...")
      ? Duration.ofHours(1)
      : Duration.ofMillis(ThreadLocalRandom.current().nextInt(20));
}

Duration patience(String[] args) {
  String millis = args.length == 0 ? "500" : String.join(" ", args);
  if (!millis.matches("[1-9][0-9]{0,4}")) {
    System.err.println("How long to wait? Milliseconds from 1 to 99999, not: " + millis);
    System.exit(2);
  }
  return Duration.ofMillis(Integer.parseInt(millis));
}
