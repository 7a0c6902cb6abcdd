package io.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChatServerTest {
  /** A client of the chat server. */
  private static final class Visitor implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader in;
    private final PrintWriter out;

    Visitor(int port, String name) throws IOException {
      socket = new Socket("localhost", port);
      socket.setSoTimeout(30_000);
      in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
      out = new PrintWriter(socket.getOutputStream(), true);
      hears("Your name?");
      says(name);
      hears("* " + name + " is here");
    }

    void says(String line) {
      out.println(line);
    }

    void hears(String line) throws IOException {
      assertThat(in.readLine()).isEqualTo(line);
    }

    /** Closes the connection without a message. */
    void vanishes() throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void passesMessagesOn() throws Exception {
    Process server = Example.of("ChatServer", "0").start();
    try (BufferedReader log = server.inputReader(StandardCharsets.UTF_8)) {
      int port = port(log.readLine());
      try (Visitor ann = new Visitor(port, "ann")) {
        try (Visitor bob = new Visitor(port, "bob")) {
          ann.hears("* bob is here");
          ann.says("hello, bob");
          bob.hears("ann: hello, bob");
          bob.says("hello, ann");
          bob.hears("bob: hello, ann");
        }
        ann.hears("ann: hello, bob");
        ann.hears("bob: hello, ann");
        ann.hears("* bob has left");
        new Visitor(port, "cleo").vanishes();
        ann.hears("* cleo is here");
        ann.hears("* cleo has left");
      }
      assertThat(server.isAlive()).isTrue();
      server.toHandle().destroy(); // its output stays open
      assertThat(log.readAllAsString()).isEmpty();
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  @Test
  void demonstratesItself() throws Exception {
    List<String> lines = Example.of("ChatServer").run().lines();
    assertThat(lines.get(0)).matches("listening on port [0-9]+");
    assertThat(lines.get(1)).isEqualTo("* ann is here");
    assertThat(lines).hasSize(2 + 3 * 3);
    for (String name : List.of("bob", "cleo", "dan")) {
      assertThat(lines)
          .containsSubsequence(
              "* " + name + " is here", name + ": hello", "* " + name + " has left");
    }
  }

  @Test
  void refusesAWrongArgument() throws Exception {
    Example.of("ChatServer", "65536")
        .run()
        .isRefused("Which port? A number from 0 (any free one) to 65535, not: 65536");
  }

  private static int port(String line) {
    return Integer.parseInt(line.replace("listening on port ", ""));
  }
}
