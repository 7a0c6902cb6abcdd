package openjdk.net;

import static openjdk.net.SocketTest.awaitIo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
import openjdk.VirtualTest;
import org.junit.jupiter.api.Test;

/**
 * Channels: BlockingChannelOps.java, SelectorOps.java, SelectDuration.java, PinnedBySelect.java.
 */
class ChannelTest extends VirtualTest {
  private static final InetSocketAddress HERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private record Pair(SocketChannel one, SocketChannel other) implements AutoCloseable {
    static Pair open() throws IOException {
      try (ServerSocketChannel server = ServerSocketChannel.open().bind(HERE)) {
        return new Pair(SocketChannel.open(server.getLocalAddress()), server.accept());
      }
    }

    @Override
    public void close() throws IOException {
      one.close();
      other.close();
    }
  }

  @Test
  void readAndWriteWithoutBlocking() throws Exception {
    virtually(
        () -> {
          try (Pair pair = Pair.open()) {
            assertThat(pair.one().write(bytes("hello"))).isEqualTo(5);
            assertThat(read(pair.other())).isEqualTo("hello");
          }
        });
  }

  @Test
  void aReadWaitsForBytesAndForTheEnd() throws Exception {
    try (Pair pair = Pair.open()) {
      Started<String> reader = call(() -> read(pair.other()));
      awaitIo(reader.thread());
      pair.one().write(bytes("x"));
      assertThat(reader.result()).isEqualTo("x");
      Started<Integer> end = call(() -> pair.other().read(ByteBuffer.allocate(10)));
      awaitIo(end.thread());
      pair.one().shutdownOutput();
      assertThat(end.result()).isEqualTo(-1);
    }
  }

  @Test
  void aWriteWaitsForRoom() throws Exception {
    try (Pair pair = Pair.open()) {
      Started<Integer> writer = call(() -> writeAll(pair.one(), 8 << 20));
      awaitIo(writer.thread());
      Started<Integer> reader =
          call(
              () -> {
                ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
                int sum = 0;
                while (sum < 8 << 20) {
                  sum += pair.other().read(buffer.clear());
                }
                return sum;
              });
      assertThat(reader.result()).isEqualTo(writer.result());
    }
  }

  @Test
  void aCloseEndsAReadAndAWrite() throws Exception {
    try (Pair pair = Pair.open()) {
      Started<String> reader = call(() -> read(pair.one()));
      Started<Integer> writer = call(() -> writeAll(pair.one(), 32 << 20));
      awaitIo(reader.thread());
      awaitIo(writer.thread());
      pair.one().close();
      assertThatExceptionOfType(AsynchronousCloseException.class).isThrownBy(reader::result);
      // Or the write had found some room and was about to continue.
      assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(writer::result);
    }
  }

  @Test
  void anInterruptClosesAndEndsAReadAndAWrite() throws Exception {
    for (boolean reading : new boolean[] {true, false}) {
      try (Pair pair = Pair.open()) {
        Started<Void> started =
            start(
                () -> {
                  assertThatExceptionOfType(ClosedByInterruptException.class)
                      .isThrownBy(
                          () -> {
                            if (reading) {
                              read(pair.one());
                            } else {
                              writeAll(pair.one(), 32 << 20);
                            }
                          });
                  assertThat(Thread.interrupted()).isTrue();
                });
        awaitIo(started.thread());
        started.thread().interrupt();
        started.result();
        assertThat(pair.one().isOpen()).isFalse();
      }
    }
  }

  @Test
  void interruptedThreadClosesTheChannelItReads() throws Exception {
    virtually(
        () -> {
          try (Pair pair = Pair.open()) {
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(ClosedByInterruptException.class)
                .isThrownBy(() -> read(pair.one()));
            assertThat(Thread.interrupted()).isTrue();
          }
        });
  }

  @Test
  void theSocketOfAChannelTimesOut() throws Exception {
    virtually(
        () -> {
          try (Pair pair = Pair.open()) {
            pair.one().socket().setSoTimeout(10);
            assertThatExceptionOfType(SocketTimeoutException.class)
                .isThrownBy(() -> pair.one().socket().getInputStream().read());
            pair.other().write(bytes("y"));
            assertThat(pair.one().socket().getInputStream().read()).isEqualTo('y');
          }
        });
  }

  @Test
  void acceptWaitsIsClosedAndInterrupted() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open().bind(HERE)) {
      Started<SocketChannel> accepter = call(server::accept);
      awaitIo(accepter.thread());
      try (SocketChannel client = SocketChannel.open(server.getLocalAddress());
          SocketChannel accepted = accepter.result()) {
        assertThat(accepted.getRemoteAddress()).isEqualTo(client.getLocalAddress());
      }
      Started<SocketChannel> closed = call(server::accept);
      awaitIo(closed.thread());
      server.close();
      assertThatExceptionOfType(AsynchronousCloseException.class).isThrownBy(closed::result);
    }
    try (ServerSocketChannel server = ServerSocketChannel.open().bind(HERE)) {
      Started<SocketChannel> interrupted = call(server::accept);
      awaitIo(interrupted.thread());
      interrupted.thread().interrupt();
      assertThatExceptionOfType(ClosedByInterruptException.class).isThrownBy(interrupted::result);
    }
  }

  @Test
  void datagrams() throws Exception {
    try (DatagramChannel channel = DatagramChannel.open().bind(HERE);
        DatagramChannel sender = DatagramChannel.open().bind(HERE)) {
      Started<String> receiver =
          call(
              () -> {
                ByteBuffer buffer = ByteBuffer.allocate(10);
                channel.receive(buffer);
                return text(buffer);
              });
      awaitIo(receiver.thread());
      virtually(() -> sender.send(bytes("hi"), channel.getLocalAddress()));
      assertThat(receiver.result()).isEqualTo("hi");
      Started<Object> closed = call(() -> channel.receive(ByteBuffer.allocate(10)));
      awaitIo(closed.thread());
      channel.close();
      assertThatExceptionOfType(AsynchronousCloseException.class).isThrownBy(closed::result);
      Started<Object> interrupted = call(() -> sender.receive(ByteBuffer.allocate(10)));
      awaitIo(interrupted.thread());
      interrupted.thread().interrupt();
      assertThatExceptionOfType(ClosedByInterruptException.class).isThrownBy(interrupted::result);
    }
  }

  @Test
  void pipes() throws Exception {
    Pipe pipe = Pipe.open();
    try (Pipe.SourceChannel source = pipe.source();
        Pipe.SinkChannel sink = pipe.sink()) {
      ByteBuffer buffer = ByteBuffer.allocate(10);
      Started<Integer> reader = call(() -> source.read(buffer));
      awaitIo(reader.thread());
      sink.write(bytes("abc"));
      assertThat(reader.result()).isEqualTo(3);
      Started<Integer> closed = call(() -> source.read(ByteBuffer.allocate(1)));
      awaitIo(closed.thread());
      source.close();
      assertThatExceptionOfType(AsynchronousCloseException.class).isThrownBy(closed::result);
    }
    Pipe other = Pipe.open();
    try (Pipe.SourceChannel source = other.source();
        Pipe.SinkChannel sink = other.sink()) {
      Started<Integer> interrupted = call(() -> source.read(ByteBuffer.allocate(1)));
      awaitIo(interrupted.thread());
      interrupted.thread().interrupt();
      assertThatExceptionOfType(ClosedByInterruptException.class).isThrownBy(interrupted::result);
      assertThat(sink.isOpen()).isTrue();
    }
  }

  @Test
  void aSelectIsEndedByAChannelAWakeupATimeLimitAndAClose() throws Exception {
    try (Pair pair = Pair.open();
        Selector selector = Selector.open()) {
      pair.one().configureBlocking(false);
      SelectionKey key = pair.one().register(selector, SelectionKey.OP_READ);
      Started<Integer> byChannel = call(selector::select);
      pair.other().write(bytes("z"));
      assertThat(byChannel.result()).isOne();
      assertThat(selector.selectedKeys()).containsExactly(key);
      selector.selectedKeys().clear();
      pair.one().read(ByteBuffer.allocate(10));

      CountDownLatch about = new CountDownLatch(1);
      Started<Integer> byWakeup =
          call(
              () -> {
                about.countDown();
                return selector.select();
              });
      about.await();
      selector.wakeup();
      assertThat(byWakeup.result()).isZero();
      assertThat(call(() -> selector.select(5)).result()).isZero();
      assertThat(call(selector::selectNow).result()).isZero();
      Started<Boolean> byClose =
          call(
              () -> {
                try {
                  selector.select();
                } catch (ClosedSelectorException e) {
                  // the wakeup came before the select
                }
                return selector.isOpen();
              });
      selector.close();
      assertThat(byClose.result()).isFalse();
    }
  }

  private static int writeAll(SocketChannel channel, int size) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(size);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
    return size;
  }

  private static String read(SocketChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(100);
    channel.read(buffer);
    return text(buffer);
  }

  private static String text(ByteBuffer buffer) {
    return new String(buffer.array(), 0, buffer.position());
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes());
  }
}
