package openjdk.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import openjdk.VirtualTest;
import org.junit.jupiter.api.Test;

/** The sockets of java.net: BlockingSocketOps.java. */
class SocketTest extends VirtualTest {
  private static final int LONG = 3_600_000;
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  @Test
  void readAndWriteWithoutBlocking() throws Exception {
    virtually(
        () -> {
          try (Connection c = Connection.open()) {
            c.one().getOutputStream().write("hello".getBytes());
            assertThat(c.other().getInputStream().readNBytes(5)).asString().isEqualTo("hello");
          }
        });
  }

  @Test
  void aReadWaitsForBytes() throws Exception {
    for (int timeout : new int[] {0, LONG}) {
      try (Connection c = Connection.open()) {
        c.other().setSoTimeout(timeout);
        Started<Integer> reader = call(() -> c.other().getInputStream().read());
        awaitIo(reader.thread());
        c.one().getOutputStream().write(42);
        assertThat(reader.result()).isEqualTo(42);
      }
    }
  }

  @Test
  void aWriteWaitsForRoom() throws Exception {
    try (Connection c = Connection.open()) {
      int size = 8 << 20;
      Started<Void> writer =
          start(
              () -> {
                c.one().getOutputStream().write(new byte[size]);
                c.one().shutdownOutput();
              });
      awaitIo(writer.thread());
      Started<Integer> reader = call(() -> c.other().getInputStream().readAllBytes().length);
      assertThat(reader.result()).isEqualTo(size);
      writer.result();
    }
  }

  @Test
  void theEndOfTheOtherSideEndsARead() throws Exception {
    try (Connection c = Connection.open()) {
      Started<Integer> reader = call(() -> c.other().getInputStream().read());
      awaitIo(reader.thread());
      c.one().shutdownOutput();
      assertThat(reader.result()).isEqualTo(-1);
      c.other().getOutputStream().write(1);
      assertThat(c.one().getInputStream().read()).isOne();
    }
  }

  @Test
  void aResetOfTheOtherSideFailsARead() throws Exception {
    try (Connection c = Connection.open()) {
      Started<Integer> reader = call(() -> c.other().getInputStream().read());
      awaitIo(reader.thread());
      c.one().setSoLinger(true, 0);
      c.one().close();
      assertThatExceptionOfType(IOException.class).isThrownBy(reader::result);
    }
  }

  @Test
  void aCloseFailsARead() throws Exception {
    for (int timeout : new int[] {0, LONG}) {
      try (Connection c = Connection.open()) {
        c.other().setSoTimeout(timeout);
        Started<Integer> reader = call(() -> c.other().getInputStream().read());
        awaitIo(reader.thread());
        c.other().close();
        assertThatExceptionOfType(SocketException.class).isThrownBy(reader::result);
      }
    }
  }

  @Test
  void aCloseFailsAWrite() throws Exception {
    try (Connection c = Connection.open()) {
      Started<Void> writer = start(() -> c.one().getOutputStream().write(new byte[32 << 20]));
      awaitIo(writer.thread());
      c.one().close();
      assertThatExceptionOfType(SocketException.class).isThrownBy(writer::result);
    }
  }

  @Test
  void anInterruptClosesWhileReading() throws Exception {
    for (int timeout : new int[] {0, LONG}) {
      try (Connection c = Connection.open()) {
        c.other().setSoTimeout(timeout);
        Started<Void> reader =
            start(
                () -> {
                  assertThatExceptionOfType(SocketException.class)
                      .isThrownBy(() -> c.other().getInputStream().read());
                  assertThat(Thread.interrupted()).isTrue();
                  assertThat(c.other().isClosed()).isTrue();
                });
        awaitIo(reader.thread());
        reader.thread().interrupt();
        reader.result();
      }
    }
  }

  @Test
  void anInterruptClosesWhileWriting() throws Exception {
    try (Connection c = Connection.open()) {
      Started<Void> writer =
          start(
              () -> {
                assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> c.one().getOutputStream().write(new byte[32 << 20]));
                assertThat(Thread.interrupted()).isTrue();
                assertThat(c.one().isClosed()).isTrue();
              });
      awaitIo(writer.thread());
      writer.thread().interrupt();
      writer.result();
    }
  }

  @Test
  void aReadTimesOutAndTheSocketStaysUsable() throws Exception {
    virtually(
        () -> {
          try (Connection c = Connection.open()) {
            c.other().setSoTimeout(10);
            InputStream in = c.other().getInputStream();
            for (int i = 0; i < 3; i++) {
              assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(in::read);
            }
            c.one().getOutputStream().write(7);
            assertThat(in.read()).isEqualTo(7);
          }
        });
  }

  @Test
  void acceptWaits() throws Exception {
    for (int timeout : new int[] {0, LONG}) {
      try (ServerSocket server = new ServerSocket(0, 50, HERE)) {
        server.setSoTimeout(timeout);
        Started<Integer> accepter =
            call(
                () -> {
                  try (Socket socket = server.accept()) {
                    return socket.getInputStream().read();
                  }
                });
        awaitIo(accepter.thread());
        virtually(
            () -> {
              try (Socket socket = new Socket(HERE, server.getLocalPort())) {
                socket.getOutputStream().write(3);
              }
            });
        assertThat(accepter.result()).isEqualTo(3);
      }
    }
  }

  @Test
  void acceptTimesOutIsClosedAndIsInterrupted() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, HERE)) {
      server.setSoTimeout(10);
      virtually(
          () -> assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(server::accept));
      server.setSoTimeout(0);
      Started<Socket> accepter = call(server::accept);
      awaitIo(accepter.thread());
      server.close();
      assertThatExceptionOfType(SocketException.class).isThrownBy(accepter::result);
    }
    try (ServerSocket server = new ServerSocket(0, 50, HERE)) {
      Started<Void> accepter =
          start(
              () -> {
                assertThatExceptionOfType(SocketException.class).isThrownBy(server::accept);
                assertThat(Thread.interrupted()).isTrue();
                assertThat(server.isClosed()).isTrue();
              });
      awaitIo(accepter.thread());
      accepter.thread().interrupt();
      accepter.result();
    }
  }

  @Test
  void connectIsRefused() throws Exception {
    int port;
    try (ServerSocket server = new ServerSocket(0, 1, HERE)) {
      port = server.getLocalPort();
    }
    virtually(
        () -> {
          try (Socket socket = new Socket()) {
            assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> socket.connect(new InetSocketAddress(HERE, port), LONG));
          }
        });
  }

  @Test
  void urgentDataAndAvailable() throws Exception {
    virtually(
        () -> {
          try (Connection c = Connection.open()) {
            c.other().setOOBInline(true);
            c.one().sendUrgentData('x');
            assertThat(c.other().getInputStream().read()).isEqualTo('x');
            c.one().getOutputStream().write(1);
            until(() -> available(c.other()) == 1);
          }
        });
  }

  @Test
  void datagramsWaitTimeOutAreClosedAndInterrupted() throws Exception {
    for (int timeout : new int[] {0, LONG}) {
      try (DatagramSocket socket = new DatagramSocket(0, HERE);
          DatagramSocket sender = new DatagramSocket(0, HERE)) {
        socket.setSoTimeout(timeout);
        Started<String> receiver = call(() -> receive(socket));
        awaitIo(receiver.thread());
        virtually(
            () -> sender.send(new DatagramPacket("hi".getBytes(), 2, HERE, socket.getLocalPort())));
        assertThat(receiver.result()).isEqualTo("hi");
        Started<String> closed = call(() -> receive(socket));
        awaitIo(closed.thread());
        socket.close();
        assertThatExceptionOfType(SocketException.class).isThrownBy(closed::result);
      }
    }
    try (DatagramSocket socket = new DatagramSocket(0, HERE)) {
      socket.setSoTimeout(10);
      virtually(
          () ->
              assertThatExceptionOfType(SocketTimeoutException.class)
                  .isThrownBy(() -> receive(socket)));
      socket.setSoTimeout(0);
      Started<Void> receiver =
          start(
              () -> {
                assertThatExceptionOfType(SocketException.class).isThrownBy(() -> receive(socket));
                assertThat(Thread.interrupted()).isTrue();
                assertThat(socket.isClosed()).isTrue();
              });
      awaitIo(receiver.thread());
      receiver.thread().interrupt();
      receiver.result();
    }
  }

  private static String receive(DatagramSocket socket) throws IOException {
    DatagramPacket packet = new DatagramPacket(new byte[100], 100);
    socket.receive(packet);
    return new String(packet.getData(), 0, packet.getLength());
  }

  private static int available(Socket socket) {
    try {
      return socket.getInputStream().available();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until the thread waits for a socket, with or without a time limit. */
  static void awaitIo(Thread thread) {
    until(
        () ->
            thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TIMED_WAITING);
  }
}
