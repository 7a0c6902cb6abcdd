package io.heddle.cluster;

import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.Context;
import io.heddle.Select;
import io.heddle.cluster.spi.Registry;
import io.heddle.cluster.spi.Registry.Ended;
import io.heddle.cluster.spi.Registry.Entry;
import java.time.Duration;
import java.util.concurrent.CancellationException;

/** Waits for changes of the keys below a path. For one thread. */
final class Signals implements AutoCloseable {
  private final Node node;
  private final String what;
  private final Chan<Boolean> changed;
  private final Ended watching;

  Signals(Node node, String what, String path) throws InterruptedException {
    this.node = node;
    this.what = what;
    this.changed = Chan.external(what, 1);
    this.watching =
        node.keys()
            .watch(
                path,
                new Registry.Watcher() {
                  @Override
                  public void set(Entry entry) {
                    boolean _ = changed.trySend(true);
                  }

                  @Override
                  public void removed(String key) {
                    boolean _ = changed.trySend(true);
                  }
                });
  }

  /**
   * Waits for a change, or for {@code limit}.
   *
   * @throws CancellationException if the caller's context has ended
   */
  void await(Duration limit) throws InterruptedException {
    Context context = Context.current();
    Case<?> ended = Select.recv(context == Context.background() ? null : context.done());
    Case<?> over = Select.recv(node.over());
    Case<?> fired = Select.select(Select.recv(changed), Select.after(limit), ended, over);
    if (fired == ended) {
      throw new CancellationException(what + ": the context of the caller has ended");
    }
    node.checkOpen(what);
  }

  @Override
  public void close() {
    watching.close();
  }
}
