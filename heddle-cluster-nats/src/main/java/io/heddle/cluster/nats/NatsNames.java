package io.heddle.cluster.nats;

import java.util.regex.Pattern;

/**
 * The streams and subjects of a cluster. A stream's name has no dots, and may become a folder of a
 * file system that does not tell upper from lower case; so names are escaped.
 *
 * @param cluster the name of the cluster, escaped
 */
record NatsNames(String cluster) {
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");

  /** A server refuses longer names of streams. */
  private static final int MAX_STREAM = 255;

  static NatsNames of(String cluster) {
    return new NatsNames(escape(cluster));
  }

  /** Returns {@code name} with {@code _} before each capital, as lower case; dots become {@code _-}. */
  static String escape(String name) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '.') {
        out.append("_-");
      } else if (c == '_') {
        out.append("__");
      } else if (c >= 'A' && c <= 'Z') {
        out.append('_').append((char) (c + 'a' - 'A'));
      } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-') {
        out.append(c);
      } else {
        throw new IllegalArgumentException(
            "the name \""
                + name
                + "\" has other characters than letters, digits, '_', '-' and '.'");
      }
    }
    return out.toString();
  }

  String logStream(String log) {
    String name = "heddle-log-" + cluster + "_=" + escape(log);
    if (name.length() > MAX_STREAM) {
      throw new IllegalArgumentException(
          "the names of the cluster and of log "
              + log
              + " are too long for NATS: "
              + name.length()
              + " characters with their escapes, at most "
              + MAX_STREAM);
    }
    return name;
  }

  String logSubject(String log) {
    return "heddle." + cluster + ".log." + escape(log);
  }

  /** On which a node says that it waits for room in a log. */
  String fullSubject(String log) {
    return "heddle." + cluster + ".full." + escape(log);
  }

  /** On which a node says that it has acknowledged a frame of a full log. */
  String roomSubject(String log) {
    return "heddle." + cluster + ".room." + escape(log);
  }

  String keyStream() {
    return "heddle-keys-" + cluster;
  }

  String keySubject(String key) {
    return keyPrefix() + checked(key);
  }

  String keyPrefix() {
    return "heddle." + cluster + ".key.";
  }

  String wireSubject(String subject) {
    return "heddle." + cluster + ".wire." + checked(subject);
  }

  private static String checked(String key) {
    if (key.length() > 256 || !KEY.matcher(key).matches()) {
      throw new IllegalArgumentException(
          "the key \""
              + key
              + "\" is not words of letters, digits, '_' and '-' with dots between"
              + " them, at most 256 characters");
    }
    return key;
  }
}
