package io.heddle.internal.poll;

import java.lang.foreign.Arena;

/** A descriptor to wait for, which a test can make ready. */
public final class EventFd implements AutoCloseable {
  private final Epoll.Buffer buffer = new Epoll.Buffer(Arena.ofAuto(), 1);
  private final int fd = Epoll.eventfd(buffer);

  public EventFd() {
    if (fd < 0) {
      throw new IllegalStateException("eventfd: errno " + -fd);
    }
  }

  public int fd() {
    return fd;
  }

  /** Makes the descriptor readable. This is a change also if it was readable before. */
  public void signal() {
    long n = Epoll.write(buffer, fd, 1);
    if (n != Long.BYTES) {
      throw new IllegalStateException("write: " + n);
    }
  }

  /** Consumes one signal. Returns whether there was one. */
  public boolean take() {
    return Epoll.read(buffer, fd) == Long.BYTES;
  }

  @Override
  public void close() {
    int _ = Epoll.close(buffer, fd);
  }
}
