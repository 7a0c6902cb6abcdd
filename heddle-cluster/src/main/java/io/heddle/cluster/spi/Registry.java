package io.heddle.cluster.spi;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A small map of keys to values that all nodes see, with compare-and-set. Changes of one key are
 * seen by all nodes in one order.
 *
 * <p>A key is a path of words with {@code .} between them; a word has letters, digits, {@code _}
 * and {@code -}. A key has at most 256 characters, a value at most 64 KiB.
 *
 * <p>Every change gets a revision, which is larger than that of all earlier changes of any key, and
 * 1 or more. So the revision of an entry that was deleted and created again has grown.
 */
public interface Registry {
  /**
   * A key with its value.
   *
   * @param key the key
   * @param value the bytes
   * @param revision that of the change that set the value
   */
  record Entry(String key, byte[] value, long revision) {}

  /** Is told about changes, in the order of their revisions. */
  interface Watcher {
    /**
     * A value was set. Must not wait.
     *
     * @param entry the new value
     */
    void set(Entry entry);

    /**
     * A key was deleted, or its time to live has ended. Must not wait.
     *
     * @param key the key
     */
    void removed(String key);
  }

  /**
   * Reads a key.
   *
   * @param key the key
   * @return its newest value; null if there is none
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  @Nullable Entry get(String key) throws InterruptedException;

  /**
   * Reads all keys below a path.
   *
   * @param path one or more words; the keys are those that begin with it and a {@code .}
   * @return the entries, in any order
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  List<Entry> list(String path) throws InterruptedException;

  /**
   * Sets a key that does not exist.
   *
   * @param key the key
   * @param value the bytes
   * @param ttl the key disappears after this time, unless it is replaced; null: never
   * @return the revision; empty if the key exists
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  OptionalLong create(String key, byte[] value, @Nullable Duration ttl) throws InterruptedException;

  /**
   * Sets a key whose revision is known. The time to live begins anew.
   *
   * @param key the key
   * @param value the bytes
   * @param revision that of the value to replace
   * @param ttl the key disappears after this time, unless it is replaced; null: never
   * @return the new revision; empty if the key does not exist or has another revision
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  OptionalLong replace(String key, byte[] value, long revision, @Nullable Duration ttl)
      throws InterruptedException;

  /**
   * Deletes a key whose revision is known.
   *
   * @param key the key
   * @param revision that of the value to delete
   * @return false if the key does not exist or has another revision
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  boolean delete(String key, long revision) throws InterruptedException;

  /**
   * Tells about all keys below a path: first those that exist, then each change. After a loss of
   * the connection it tells about the newest values again, and about keys that were removed
   * meanwhile.
   *
   * @param path as of {@link #list}
   * @param watcher is told on a thread of the engine, one call at a time
   * @return ends the watching when it is closed
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  Ended watch(String path, Watcher watcher) throws InterruptedException;

  /** Something that goes on until it is closed. */
  interface Ended extends AutoCloseable {
    @Override
    void close();
  }
}
