package io.heddle.stress.soak;

import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.WaitGroup;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An echo server and its clients, whose connections are used, half-closed, reset, closed and
 * interrupted at random.
 */
final class Sockets implements Load {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final int MOST = 4_000;

  /** The command in the first byte of a message. */
  private static final int RESET = 1;

  private static final int SILENCE = 2;
  private static final int ECHO = 3;

  @Override
  public void step(Worker me) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 200, HERE)) {
      WaitGroup serving = new WaitGroup();
      Goroutine acceptor = me.anyScheduler().go(() -> accept(server, serving));
      Crew crew = new Crew(me);
      AtomicLong echoes = new AtomicLong();
      for (int i = me.between(1, 20); i > 0; i--) {
        SplittableRandom random = me.random.split();
        crew.go(() -> call(me, server.getLocalPort(), random, echoes));
      }
      crew.await();
      server.close();
      acceptor.join();
      serving.await();
      me.did(echoes.get());
    }
  }

  @Override
  public Where where() {
    return Where.EVERYWHERE;
  }

  private static void accept(ServerSocket server, WaitGroup serving) {
    try {
      for (; ; ) {
        Socket client = server.accept();
        serving.go(() -> serve(client));
      }
    } catch (IOException e) {
      // end of the stream
    }
  }

  private static void serve(Socket client) {
    try (client) {
      InputStream in = client.getInputStream();
      OutputStream out = client.getOutputStream();
      byte[] message = new byte[MOST];
      for (int n = in.read(message); n >= 0; n = in.read(message)) {
        if (message[0] == RESET) {
          client.setSoLinger(true, 0);
          return;
        }
        int said = message[0] == SILENCE ? 1 : 0; // the next bytes may already be here
        out.write(message, said, n - said);
      }
    } catch (IOException e) {
      // the client closed the connection, as clients do here
    }
  }

  private static void call(Worker me, int port, SplittableRandom random, AtomicLong echoes)
      throws Exception {
    try (Socket socket = new Socket(HERE, port)) {
      for (int i = random.nextInt(6); i >= 0; i--) {
        long since = System.nanoTime();
        echo(socket, random);
        me.world.tally.waited(Tally.Wait.ECHO, System.nanoTime() - since);
        echoes.incrementAndGet();
      }
      leave(socket, random);
    }
  }

  private static void echo(Socket socket, SplittableRandom random) throws IOException {
    byte[] message = new byte[random.nextInt(1, MOST)];
    random.nextBytes(message);
    for (int i = 0; i < message.length; i++) {
      message[i] |= ECHO; // the server may read any piece first; none of them is a command
    }
    socket.getOutputStream().write(message);
    byte[] answer = socket.getInputStream().readNBytes(message.length);
    Expect.that(
        Arrays.equals(answer, message),
        "an echo of " + answer.length + " bytes for " + message.length);
  }

  private static void leave(Socket socket, SplittableRandom random) throws Exception {
    InputStream in = socket.getInputStream();
    OutputStream out = socket.getOutputStream();
    switch (random.nextInt(7)) {
      case 0 -> socket.setSoLinger(true, 0);
      case 1 -> {
        out.write(RESET);
        expectEnd(in);
      }
      case 2 -> {
        socket.shutdownOutput();
        Expect.same("what is read after the other side has closed", in.read(), -1);
      }
      case 3 -> {
        out.write(SILENCE);
        socket.setSoTimeout(random.nextInt(1, 20));
        expectTimeout(in);
        socket.setSoTimeout(0);
        echo(socket, random);
      }
      case 4 -> {
        Goroutine closer = Go.go(socket::close);
        expectEnd(in);
        closer.join();
      }
      case 5 -> {
        Goroutine reader = Go.go(() -> expectEnd(in));
        reader.interrupt();
        reader.join();
      }
      default -> {}
    }
  }

  private static void expectTimeout(InputStream in) throws IOException {
    try {
      throw new AssertionError("read " + in.read() + " where nothing was sent");
    } catch (SocketTimeoutException e) {
      // expected
    }
  }

  private static void expectEnd(InputStream in) throws IOException {
    try {
      Expect.same("what is read from a connection that is closed", in.read(), -1);
    } catch (SocketException e) {
      // reset or closed, as expected
    }
  }
}
