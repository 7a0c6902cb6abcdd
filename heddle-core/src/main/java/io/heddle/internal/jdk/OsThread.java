package io.heddle.internal.jdk;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What the operating system says of a platform thread. */
public final class OsThread {
  private static final Path SELF = Path.of("/proc/thread-self");

  /** Enough for the number, the name, which has 15 characters at most, and the state. */
  private static final int HEAD = 64;

  private final Path stat;

  private OsThread(Path stat) {
    this.stat = stat;
  }

  /** The calling one; null where the system does not tell. Never throws. */
  public static @Nullable OsThread current() {
    try {
      return new OsThread(Path.of("/proc").resolve(Files.readSymbolicLink(SELF)).resolve("stat"));
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      return null; // as if the system did not tell
    }
  }

  /** Whether it would run if it had a CPU: it waits for nothing else. False if the system does not tell. */
  public boolean isRunnable() {
    try (FileInputStream in = new FileInputStream(stat.toString())) {
      String head = new String(in.readNBytes(HEAD), StandardCharsets.ISO_8859_1);
      return head.startsWith(") R", head.lastIndexOf(')'));
    } catch (IOException e) {
      return false;
    }
  }
}
