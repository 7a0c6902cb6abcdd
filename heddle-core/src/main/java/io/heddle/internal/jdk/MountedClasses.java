package io.heddle.internal.jdk;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The class files of the JDK whose code {@code java.lang.HeddleMount} stands in for. {@link
 * MountedCode}, which selects the methods, is a separate class. It is slow to load, and is not
 * needed if the {@link #checksum} is known.
 */
final class MountedClasses {
  /** The names of the class files, as paths in the runtime image. */
  static final List<String> NAMES =
      List.of(
          "java/lang/VirtualThread",
          "java/lang/VirtualThread$VThreadContinuation",
          "jdk/internal/vm/Continuation");

  private MountedClasses() {}

  /**
   * Reads {@link #NAMES} from the JDK that runs. Throws if a class file is missing or cannot be
   * read.
   */
  static List<byte[]> read() throws IOException {
    byte[][] all = new byte[NAMES.size()][];
    for (int i = 0; i < all.length; i++) {
      String path = NAMES.get(i).concat(".class"); // linking the first + takes a millisecond
      try (InputStream in = Object.class.getModule().getResourceAsStream(path)) {
        if (in == null) {
          throw new IOException(path + " is not in the runtime image");
        }
        all[i] = in.readAllBytes();
      }
    }
    return List.of(all);
  }

  /**
   * Returns a checksum of all bytes of the class files. It is cheaper to compute than {@link
   * MountedCode#fingerprint}, but may also differ between builds with the same methods.
   */
  static long checksum(List<byte[]> classFiles) {
    CRC32 crc = new CRC32();
    long length = 0;
    for (byte[] bytes : classFiles) {
      crc.update(bytes);
      length += bytes.length;
    }
    return length << Integer.SIZE | crc.getValue();
  }
}
