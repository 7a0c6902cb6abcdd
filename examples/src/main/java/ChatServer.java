/*
 * A chat room on plain sockets: two goroutines per client, and one that owns the set of clients.
 * With a port as argument it serves others (telnet localhost 7000); without, it shows itself.
 */

import static io.heddle.Go.go;
import static io.heddle.Select.*;

import io.heddle.*;
import java.net.*;

record Client(String name, Chan<String> inbox) {}

final Chan<Client> joining = Chan.make(), leaving = Chan.make();
final Chan<String> said = Chan.make();
final Set<Client> clients = new HashSet<>(); // only the room's goroutine uses it

void main(String[] args) throws Exception {
  ServerSocket server = open(args);
  IO.println("listening on port " + server.getLocalPort());
  go("room", () -> room());
  go("door", () -> accept(server));
  Go.main(args.length == 0 ? () -> show(server.getLocalPort()) : () -> select());
}

void room() throws InterruptedException {
  while (true) {
    select(recv(joining, this::join), recv(leaving, this::leave), recv(said, this::tell));
  }
}

void join(Client client) {
  clients.add(client);
  tell("* " + client.name() + " is here");
}

void leave(Client client) {
  clients.remove(client);
  tell("* " + client.name() + " has left");
}

void tell(String line) {
  clients.forEach(client -> client.inbox().trySend(line)); // a slow client misses the line
}

void accept(ServerSocket server) throws IOException {
  while (true) {
    Socket socket = server.accept();
    go(() -> serve(socket));
  }
}

void serve(Socket socket) throws Exception {
  Chan<String> inbox = Chan.make(100);
  try (socket) {
    PrintWriter out = new PrintWriter(socket.getOutputStream(), true);
    go(() -> inbox.forEach(out::println));
    inbox.send("Your name?");
    Scanner in = new Scanner(socket.getInputStream());
    Client client = new Client(in.hasNextLine() ? in.nextLine() : "guest", inbox);
    joining.send(client);
    while (in.hasNextLine()) {
      said.send(client.name() + ": " + in.nextLine());
    }
    leaving.send(client);
  } finally {
    inbox.close();
  }
}

/** Ann prints what she hears; the other clients come, say hello, and leave. */
void show(int port) throws InterruptedException {
  Client ann = new Client("ann", Chan.make(100));
  joining.send(ann);
  Set<String> others = new HashSet<>(Set.of("bob", "cleo", "dan"));
  others.forEach(name -> go(() -> visit(port, name)));
  while (!others.isEmpty()) {
    String line = ann.inbox().receive();
    IO.println(line);
    others.removeIf(name -> line.equals("* " + name + " has left"));
  }
}

void visit(int port, String name) throws IOException {
  try (Socket socket = new Socket("localhost", port)) {
    socket.getOutputStream().write((name + "\nhello\n").getBytes());
    socket.shutdownOutput();
    socket.getInputStream().readAllBytes(); // until the server closes the connection
  }
}

ServerSocket open(String[] args) throws IOException {
  String port = args.length == 0 ? "0" : String.join(" ", args);
  if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65535) {
    System.err.println("Which port? A number from 0 (any free one) to 65535, not: " + port);
    System.exit(2);
  }
  return new ServerSocket(Integer.parseInt(port), 50, InetAddress.getByName("localhost"));
}
