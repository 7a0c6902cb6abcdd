package io.heddle.cluster.artemis;

import io.heddle.cluster.ClusterException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the hub of an address, or starts it. Of all processes that share a folder, the one with the
 * lock of its file {@code hub.lock} has the hub:
 *
 * <ol>
 *   <li>A node tries the lock. The operating system frees it when a process ends, in whatever way.
 *   <li>With the lock, it starts a hub on the journal in the folder, and then writes its host,
 *       port, process, and whether it has TLS, to {@code hub.port}.
 *   <li>Without it, it connects to the port in the file. While that fails, it begins again.
 * </ol>
 *
 * <p>Two hubs never have one journal, because a hub releases the lock after it has closed the
 * journal. All nodes of a JVM use the same hub, and the last that closes ends it; the nodes of
 * other JVMs then begin again, and one of them gets the lock.
 */
final class HubFinder {
  private static final String LOCK_FILE = "hub.lock";
  private static final String PORT_FILE = "hub.port";
  private static final String TLS = "TLS";

  /** Guards the start of hubs in this JVM, and their users; not their ends. */
  private static final Object LOCK = new Object();

  /** The hubs of this JVM by folder. */
  private static final Map<Path, Shared> HUBS = new ConcurrentHashMap<>();

  private final EmbeddedAddress address;
  private @Nullable Shared used; // guarded by LOCK

  private static final class Shared {
    private final FileChannel channel;
    private @Nullable Hub hub;
    private volatile boolean isEnded;
    private int users;

    Shared(FileChannel channel) {
      this.channel = channel;
    }
  }

  /** Where a hub is. */
  record Place(String host, int port) {
    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  HubFinder(EmbeddedAddress address) {
    this.address = address;
  }

  /** Returns where the hub is or was; starts one if there is none and this node may. */
  Place find() throws Exception {
    Path folder = address.folder();
    if (folder == null) {
      return new Place(address.host(), address.port());
    }
    synchronized (LOCK) {
      Hub here = hubHere(folder);
      if (here != null) {
        return new Place(reachable(), here.port());
      }
    }
    String[] words = Files.readString(folder.resolve(PORT_FILE)).strip().split(" ", -1);
    boolean hasTls = words.length > 3;
    if (hasTls != (address.tls() != null)) {
      throw new ClusterException(
          "engine embedded: %s: the hub of process %s has %s, this node has %s"
              .formatted(address, words[2], hasTls ? TLS : "no TLS", hasTls ? "none" : "it"));
    }
    return new Place(words[0], Integer.parseInt(words[1]));
  }

  /** A hub that listens everywhere is reached here by the loopback address. */
  private String reachable() {
    return address.host().equals("0.0.0.0") || address.host().equals("::")
        ? "127.0.0.1"
        : address.host();
  }

  private @Nullable Hub hubHere(Path folder) throws Exception {
    Shared shared = HUBS.get(folder);
    if (shared == null || shared.isEnded) {
      shared = start(folder);
      if (shared == null) {
        return null;
      }
      HUBS.put(folder, shared);
    }
    if (used != shared) {
      used = shared;
      shared.users++;
    }
    return shared.hub;
  }

  /** Starts a hub if no other process has one. */
  private @Nullable Shared start(Path folder) throws Exception {
    makePrivate(folder);
    FileChannel channel =
        FileChannel.open(
            folder.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Another class loader of this JVM has the hub. To close the channel would free its lock.
      return null;
    }
    if (lock == null) {
      channel.close();
      return null;
    }
    Shared shared = new Shared(channel);
    try {
      Files.deleteIfExists(folder.resolve(PORT_FILE)); // of a hub that is dead
      Hub hub = new Hub(folder, address, () -> ended(folder, shared));
      shared.hub = hub;
      writePort(
          folder,
          reachable()
              + (" " + hub.port() + " " + ProcessHandle.current().pid())
              + (address.tls() == null ? "" : " " + TLS));
      return shared;
    } catch (Exception e) {
      Hub hub = shared.hub;
      if (hub != null) {
        hub.close();
      }
      channel.close();
      throw e;
    }
  }

  /** The data of channels are for their owner only, where the file system can say so. */
  private static void makePrivate(Path folder) throws IOException {
    Files.createDirectories(folder);
    if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
    Files.createDirectories(folder.resolve("journal"));
  }

  private static void writePort(Path folder, String text) throws IOException {
    Path written = Files.writeString(folder.resolve(PORT_FILE + ".new"), text);
    Files.move(written, folder.resolve(PORT_FILE), StandardCopyOption.ATOMIC_MOVE);
  }

  /** The hub of this JVM has ended, and its journal is closed. */
  private static void ended(Path folder, Shared shared) {
    shared.isEnded = true;
    HUBS.remove(folder, shared);
    try {
      shared.channel.close();
    } catch (IOException e) {
      // The lock ends with the process.
    }
  }

  /** This node uses the hub of its JVM no more; waits for the end of the hub if it was the last. */
  void close() {
    Hub last = null;
    synchronized (LOCK) {
      Shared shared = used;
      used = null;
      if (shared != null && --shared.users == 0) {
        last = shared.hub;
      }
    }
    if (last != null) {
      last.close();
    }
  }
}
