package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sockets in goroutines, and their effect on the rest of the JVM. */
@HangGuard
@Tag("jdks")
class SocketsTest {
  private static final int CLIENTS = 50;

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void manyConnectionsShareFewPs(int procs) throws Exception {
    AtomicInteger sum = new AtomicInteger();
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, CLIENTS, here);
        Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      scheduler.go(() -> serve(server));
      for (int i = 0; i < CLIENTS; i++) {
        int number = i;
        scheduler.go(() -> sum.addAndGet(ask(server, number)));
      }
    }
    assertThat(sum).hasValue(CLIENTS * (CLIENTS + 1) / 2);
  }

  /**
   * Runs in a JVM of its own, because the first thread that waits starts the JDK's pollers once:
   * here, a goroutine.
   */
  @Test
  void plainVirtualThreadUsesSocketAfterSchedulerThatStartedThePollersClosed() throws Exception {
    ChildJvm.Result result = ChildJvm.onClassPath().run("child.SocketsAfterClose");
    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(result.out()).isEqualToIgnoringNewLines("goroutine: 42, virtual thread: 43");
  }

  /** A thread of theirs that is in native code delays the end of the program. */
  @Test
  void programWithoutSocketsHasNoPollersOfTheJdk() throws Exception {
    ChildJvm.Result result = ChildJvm.onClassPath().run("child.NoSockets");
    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(result.out()).isEqualToIgnoringNewLines("before: 0, after a socket: 1");
  }

  /** Answers each client with the number that it sent plus one. */
  private static void serve(ServerSocket server) throws Exception {
    for (int i = 0; i < CLIENTS; i++) {
      Socket client = server.accept();
      Go.go(
          () -> {
            try (client) {
              client.getOutputStream().write(client.getInputStream().read() + 1);
            }
          });
    }
  }

  private static int ask(ServerSocket server, int number) throws Exception {
    try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
      Go.gosched();
      socket.getOutputStream().write(number);
      return socket.getInputStream().read();
    }
  }
}
