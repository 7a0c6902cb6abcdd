/* All kinds of goroutines, to look at: heddle run Lively.java --dashboard. Argument: seconds. */

import static io.heddle.Go.go;

import io.heddle.*;

final Mutex account = new Mutex();

void main(String[] args) throws Exception {
  Duration time = howLong(args);
  ServerSocket echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  Go.main(
      () -> {
        start(12, "sleeper", i -> () -> again(20 + 37 * i, () -> compute(300)));
        start(2, "hog", i -> () -> again(90, () -> compute(30_000)));
        start(2, "blocker", i -> () -> again(150 * i, () -> Go.blocking(this::aSystemCall)));
        start(3, "tennis", i -> () -> tennis("partner-" + i));
        start(5, "customer", i -> () -> again(25, this::withdraw));
        go("burst", () -> again(230, () -> start(48, "task", i -> () -> compute(2_000))));
        go("acceptor", () -> accept(echo));
        start(8, "client", i -> () -> ask(echo));
        Go.sleep(time);
      });
  Stats stats = Scheduler.shared().stats();
  IO.println(
      "%,d goroutines, %,d switches, %,d steals"
          .formatted(stats.started(), stats.switches(), stats.steals()));
  System.exit(0);
}

void start(int howMany, String name, IntFunction<Task> task) {
  for (int i = 1; i <= howMany; i++) {
    go(name + "-" + i, task.apply(i));
  }
}

void again(long pause, Task task) throws Exception {
  while (true) {
    task.run();
    Go.sleep(Duration.ofMillis(pause));
  }
}

void tennis(String partner) throws InterruptedException {
  Chan<Integer> there = Chan.make();
  Chan<Integer> back = Chan.make();
  go(partner, () -> again(0, () -> back.send(there.receive())));
  for (int ball = 0; ; ball++) {
    there.send(ball);
    int _ = back.receive();
    if (ball % 100 == 0) {
      Go.sleep(Duration.ofMillis(3));
    }
  }
}

void withdraw() throws InterruptedException {
  account.lock();
  try {
    Go.sleep(Duration.ofMillis(30));
  } finally {
    account.unlock();
  }
}

void accept(ServerSocket echo) throws IOException {
  while (true) {
    Socket socket = echo.accept();
    go("connection", () -> socket.getInputStream().transferTo(socket.getOutputStream()));
  }
}

void ask(ServerSocket echo) throws Exception {
  try (Socket socket = new Socket(echo.getInetAddress(), echo.getLocalPort())) {
    while (true) {
      socket.getOutputStream().write(1);
      int _ = socket.getInputStream().read();
      Go.sleep(Duration.ofMillis(20 + Math.round(300 * Math.random())));
    }
  }
}

int aSystemCall() throws IOException {
  return new ProcessBuilder("sleep", "0.2").start().getInputStream().read();
}

void compute(long micros) {
  long end = System.nanoTime() + 1_000 * micros;
  while (System.nanoTime() < end) {}
}

Duration howLong(String[] args) {
  String seconds = args.length == 0 ? "86400" : String.join(" ", args);
  if (!seconds.matches("[1-9][0-9]{0,4}")) {
    System.err.println("For how many seconds? A number from 1 to 99999, not: " + seconds);
    System.exit(2);
  }
  return Duration.ofSeconds(Long.parseLong(seconds));
}
