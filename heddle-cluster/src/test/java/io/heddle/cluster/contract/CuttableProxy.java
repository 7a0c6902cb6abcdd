package io.heddle.cluster.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A line between a client and a server on this machine, which can be cut in two ways: {@link #cut},
 * as by an unplugged cable, and {@link #reset}, as by a router that forgets its connections.
 */
public final class CuttableProxy implements AutoCloseable {
  private static final int BUFFER = 8_192;

  private final ServerSocket listener;
  private final EngineServer target;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private boolean isCut; // guarded by this
  private boolean isRefusing; // guarded by this

  CuttableProxy(EngineServer target) throws IOException {
    this.target = target;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().name("proxy").start(this::accept);
  }

  /** Returns where nodes reach the engine by this line. */
  String uri() {
    return target.uri().replace(":" + target.port(), ":" + listener.getLocalPort());
  }

  /** No byte passes any more, and neither side is told. */
  synchronized void cut() {
    isCut = true;
  }

  /** Ends all connections, and those that are tried, until {@link #heal}. */
  void reset() {
    synchronized (this) {
      isRefusing = true;
    }
    sockets.forEach(CuttableProxy::closeQuietly);
  }

  /** Bytes pass again, those that were held back first. */
  synchronized void heal() {
    isCut = false;
    isRefusing = false;
    notifyAll();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        if (isRefusing()) {
          client.close();
          continue;
        }
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target.port());
        sockets.addAll(List.of(client, server));
        pump(client, server);
        pump(server, client);
      }
    } catch (IOException e) {
      // The proxy or the server is closed.
    }
  }

  private synchronized boolean isRefusing() {
    return isRefusing;
  }

  private void pump(Socket from, Socket to) {
    Thread.ofPlatform().daemon().name("proxy").start(() -> copy(from, to));
  }

  private void copy(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        awaitLine();
        out.write(buffer, 0, n);
      }
    } catch (IOException | InterruptedException e) {
      // One side is gone.
    } finally {
      closeQuietly(from);
      closeQuietly(to);
    }
  }

  private synchronized void awaitLine() throws InterruptedException {
    while (isCut) {
      wait();
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    heal();
    sockets.forEach(CuttableProxy::closeQuietly);
  }
}
