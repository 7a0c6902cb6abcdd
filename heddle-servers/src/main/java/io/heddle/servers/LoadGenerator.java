package io.heddle.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Sends requests to a server from one thread over many connections, and checks each answer: the
 * first wrong answer ends the run with an exception.
 *
 * <p>There are two modes. Either each connection sends the next request as soon as it has its
 * answer; or a fixed number of requests is due per second even if the server is slower, and an
 * answer's time counts from the time at which its request was due. In addition, some connections
 * may send computing requests repeatedly; their answers are checked but not counted.
 *
 * @param perSecond the rate; 0: as fast as the connections can
 * @param hogs how many computing requests are pending all the time
 */
record LoadGenerator(
    RequestSpec work,
    int connections,
    int perSecond,
    int hogs,
    RequestSpec hog,
    Duration warmUp,
    Duration time) {

  static LoadGenerator of(RequestSpec work, int connections) {
    return new LoadGenerator(
        work, connections, 0, 0, work, Duration.ofSeconds(1), Duration.ofSeconds(2));
  }

  LoadGenerator perSecond(int n) {
    return new LoadGenerator(work, connections, n, hogs, hog, warmUp, time);
  }

  LoadGenerator hogs(int n, RequestSpec hog) {
    return new LoadGenerator(work, connections, perSecond, n, hog, warmUp, time);
  }

  LoadGenerator lasting(Duration warmUp, Duration time) {
    return new LoadGenerator(work, connections, perSecond, hogs, hog, warmUp, time);
  }

  /** The result: the number of answers, and their times in nanoseconds. */
  record Outcome(long answers, Histogram nanos, Duration time) {
    double perSecond() {
      return answers * 1e9 / time.toNanos();
    }

    double millis(double percentile) {
      return nanos.getValueAtPercentile(percentile) / 1e6;
    }
  }

  /**
   * Runs the load.
   *
   * @throws IOException if an answer is wrong or missing
   */
  Outcome against(InetSocketAddress server) throws IOException {
    try (LoadRun run = new LoadRun(server)) {
      return run.toItsEnd();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private final class LoadRun implements AutoCloseable {
    private static final Duration NO_ANSWER = Duration.ofSeconds(30);

    private final Selector selector = Selector.open();
    private final List<HttpConnection> all = new ArrayList<>();
    private final Deque<HttpConnection> free = new ArrayDeque<>();
    private final Histogram nanos = new Histogram(3);
    private final long start;
    private final long measureFrom;
    private final long end;
    private long sent;
    private long answers;
    private long lastAnswer;

    LoadRun(InetSocketAddress server) throws IOException {
      for (int i = 0; i < hogs; i++) {
        all.add(new HttpConnection(hog, server, selector));
      }
      for (int i = 0; i < connections; i++) {
        HttpConnection connection = new HttpConnection(work, server, selector);
        all.add(connection);
        free.add(connection);
      }
      start = System.nanoTime();
      lastAnswer = start;
      measureFrom = start + warmUp.toNanos();
      end = measureFrom + time.toNanos();
    }

    Outcome toItsEnd() throws IOException {
      for (HttpConnection connection : all.subList(0, hogs)) {
        connection.send(0, start);
      }
      for (long now = start; now - end < 0; now = System.nanoTime()) {
        sendWhatIsDue(now);
        selector.select(this::receive, waitMillis());
        checkThatItAnswers();
      }
      countTheUnanswered();
      return new Outcome(answers, nanos, time);
    }

    /**
     * Counts due requests without an answer with the time that they have waited so far, because
     * otherwise the slowest requests would not count.
     */
    private void countTheUnanswered() {
      for (HttpConnection connection : all.subList(hogs, all.size())) {
        if (!free.contains(connection)) {
          record(connection.dueNanos(), end);
        }
      }
      for (; perSecond > 0 && nextDue(end) - end < 0; sent++) {
        record(nextDue(end), end);
      }
    }

    /** Requests that were due during the warm-up do not count. */
    private boolean record(long due, long now) {
      boolean counts = due - measureFrom >= 0;
      if (counts) {
        nanos.recordValue(Math.max(0, now - due));
      }
      return counts;
    }

    private void sendWhatIsDue(long now) throws IOException {
      while (!free.isEmpty() && nextDue(now) - now <= 0) {
        free.remove().send(sent, nextDue(now));
        sent++;
      }
    }

    private long nextDue(long now) {
      return perSecond == 0 ? now : start + sent * TimeUnit.SECONDS.toNanos(1) / perSecond;
    }

    /**
     * Waits for an event or the next due time. The resolution is one millisecond; a request that is
     * due in between is sent later, and its time includes the delay.
     */
    private long waitMillis() {
      return perSecond == 0 ? NO_ANSWER.toMillis() : 1;
    }

    private void receive(SelectionKey key) {
      HttpConnection connection = (HttpConnection) key.attachment();
      try {
        if (connection.receive()) {
          answered(connection);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void answered(HttpConnection connection) throws IOException {
      long now = System.nanoTime();
      lastAnswer = now;
      if (connection.work() == hog && hogs > 0) {
        connection.send(0, now);
        return;
      }
      if (record(connection.dueNanos(), now)) {
        answers++;
      }
      if (perSecond == 0) {
        connection.send(sent++, now);
      } else {
        free.add(connection);
      }
    }

    private void checkThatItAnswers() throws IOException {
      if (System.nanoTime() - lastAnswer > NO_ANSWER.toNanos() && sent > 0) {
        throw new IOException("no answer for " + NO_ANSWER.toSeconds() + " s");
      }
    }

    @Override
    public void close() throws IOException {
      for (HttpConnection connection : all) {
        connection.close();
      }
      selector.close();
    }
  }
}
