package openjdk.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import openjdk.VirtualTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The handling of exceptions that end a thread: ThreadAPI.java. */
class UncaughtTest extends VirtualTest {
  private record Seen(Thread thread, Throwable thrown) {}

  private final List<Seen> ofThread = Collections.synchronizedList(new ArrayList<>());
  private final List<Seen> ofAll = Collections.synchronizedList(new ArrayList<>());
  private final Thread.UncaughtExceptionHandler handler = (t, e) -> ofThread.add(new Seen(t, e));
  private final IllegalStateException thrown = new IllegalStateException("told");
  private final Thread.UncaughtExceptionHandler before =
      Thread.getDefaultUncaughtExceptionHandler();

  @AfterEach
  void restore() {
    Thread.setDefaultUncaughtExceptionHandler(before);
  }

  @Test
  void ownHandlerIsCalled() throws Exception {
    Thread thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  Thread me = Thread.currentThread();
                  assertThat(me.getUncaughtExceptionHandler()).isSameAs(me.getThreadGroup());
                  me.setUncaughtExceptionHandler(handler);
                  assertThat(me.getUncaughtExceptionHandler()).isSameAs(handler);
                  throw thrown;
                });
    thread.join();
    assertThat(ofThread).containsExactly(new Seen(thread, thrown));
    assertThat(thread.getUncaughtExceptionHandler()).isNull();
  }

  @Test
  void handlerOfTheBuilderIsCalled() throws Exception {
    Thread thread = Thread.ofVirtual().uncaughtExceptionHandler(handler).start(this::fail);
    thread.join();
    assertThat(ofThread).containsExactly(new Seen(thread, thrown));
  }

  @Test
  void defaultHandlerIsCalledWithoutAnother() throws Exception {
    Thread.setDefaultUncaughtExceptionHandler((t, e) -> ofAll.add(new Seen(t, e)));
    Thread thread = Thread.ofVirtual().start(this::fail);
    thread.join();
    assertThat(ofAll).containsExactly(new Seen(thread, thrown));
    Thread other = Thread.ofVirtual().uncaughtExceptionHandler(handler).start(this::fail);
    other.join();
    assertThat(ofAll).hasSize(1);
    assertThat(ofThread).containsExactly(new Seen(other, thrown));
  }

  @Test
  void theHandlerRunsInTheThreadAndMayBlock() throws Exception {
    Thread[] ran = new Thread[1];
    Thread thread =
        Thread.ofVirtual()
            .uncaughtExceptionHandler(
                (_, _) -> {
                  try {
                    Thread.sleep(1);
                    Thread.yield();
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                  ran[0] = Thread.currentThread();
                })
            .start(this::fail);
    thread.join();
    assertThat(ran[0]).isSameAs(thread);
  }

  @Test
  void aHandlerThatFailsEndsTheThreadAndNoOther() throws Exception {
    Thread thread =
        Thread.ofVirtual()
            .uncaughtExceptionHandler(
                (_, _) -> {
                  throw new AssertionError("so does the handler");
                })
            .start(this::fail);
    thread.join();
    assertThat(thread.getState()).isEqualTo(Thread.State.TERMINATED);
    virtually(Thread::yield);
  }

  private void fail() {
    throw thrown;
  }
}
