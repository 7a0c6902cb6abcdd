package io.heddle.stress.soak;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The open descriptors of the process by kind: sockets, pipes, epoll and files of the run. The
 * JVM's own files and the socket that it opens for an attaching process are left out.
 */
record Descriptors(Map<String, Integer> byKind) {
  private static final Path LIST = Path.of("/proc/self/fd");
  private static final Path LOCAL = Path.of("/proc/self/net/unix");

  static Descriptors now(Path folder) throws IOException {
    Map<String, Integer> kinds = new TreeMap<>();
    if (Files.isDirectory(LIST)) {
      String local = Files.readString(LOCAL);
      try (DirectoryStream<Path> open = Files.newDirectoryStream(LIST)) {
        for (Path one : open) {
          String kind = kind(one, folder, local);
          if (kind != null) {
            kinds.merge(kind, 1, Integer::sum);
          }
        }
      }
    }
    return new Descriptors(kinds);
  }

  private static String kind(Path descriptor, Path folder, String local) throws IOException {
    try {
      String target = Files.readSymbolicLink(descriptor).toString();
      if (target.startsWith(folder.toString())) {
        return "files of the run";
      }
      if (target.startsWith("socket:[") && local.contains(" " + inode(target) + " ")) {
        return null;
      }
      int colon = target.indexOf(':');
      return target.startsWith("/") || colon < 0
          ? null
          : target.startsWith("anon_inode") ? target : target.substring(0, colon);
    } catch (NoSuchFileException e) {
      return null; // closed meanwhile, like the descriptor of the listing itself
    }
  }

  private static String inode(String target) {
    return target.substring(target.indexOf('[') + 1, target.indexOf(']'));
  }

  /** The kinds of which more are open than before; empty if none. */
  String moreThan(Descriptors before) {
    StringBuilder more = new StringBuilder();
    byKind.forEach(
        (kind, n) -> {
          int then = before.byKind.getOrDefault(kind, 0);
          if (n > then) {
            more.append(more.isEmpty() ? "" : ", ")
                .append(kind)
                .append(": ")
                .append(n)
                .append(" instead of ")
                .append(then);
          }
        });
    return more.toString();
  }
}
