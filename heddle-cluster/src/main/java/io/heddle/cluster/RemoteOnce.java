package io.heddle.cluster;

import io.heddle.Task;
import java.nio.charset.StandardCharsets;

/**
 * Runs a task until it has succeeded once, on some node. See {@link Cluster#once}.
 *
 * {@snippet :
 * boolean here = cluster.once("migrate-2").run(() -> database.migrate());
 * }
 *
 * <p>Any thread may use it. If a node dies after the task has succeeded and before it could say so,
 * the task runs again: at least once, and once if no node dies.
 *
 * <p>Memory consistency: what the task has written to fields is not promised to be visible after a
 * call that did not run it. Its result must be in a storage that all nodes reach. For fields of one
 * process use {@link io.heddle.Once}.
 */
public final class RemoteOnce {
  private final Node node;
  private final String name;
  private final String key;
  private final RemoteMutex mutex;

  RemoteOnce(Node node, String name) {
    this.node = node;
    this.name = name;
    this.key = "once." + name;
    this.mutex = new RemoteMutex(node, "once-" + name + ".run");
  }

  /**
   * Runs {@code task}, unless it has succeeded somewhere. Waits while another runs it.
   *
   * @param task the task
   * @return whether it ran here, and succeeded
   * @throws Exception what the task threw; another call may try again
   */
  public boolean run(Task task) throws Exception {
    if (isDone()) {
      return false;
    }
    try (Lease _ = mutex.lock()) {
      if (isDone()) {
        return false;
      }
      task.run();
      boolean _ =
          node.keys().create(key, node.id().getBytes(StandardCharsets.UTF_8), null).isPresent();
      return true;
    }
  }

  /**
   * Returns whether the task has succeeded.
   *
   * @return whether {@link #run} would do nothing
   * @throws InterruptedException if the caller is interrupted while it waits for the engine
   */
  public boolean isDone() throws InterruptedException {
    return node.keys().get(key) != null;
  }

  @Override
  public String toString() {
    return "RemoteOnce[" + name + "]";
  }
}
