package io.heddle.spring;

import io.heddle.testkit.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.springframework.boot.loader.tools.Library;
import org.springframework.boot.loader.tools.LibraryScope;
import org.springframework.boot.loader.tools.Repackager;
import shop.ShopApplication;

/**
 * Packs {@link ShopApplication} as a build does: maven-jar-plugin makes a jar, with the manifest
 * entry that the guide names, and spring-boot-maven-plugin's repackager puts the libraries into it.
 */
final class ExecutableJar {
  /** Parts of the names of libraries that only tests need. */
  private static final List<String> OF_TESTS =
      List.of(
          "junit",
          "archunit",
          "assertj",
          "opentest4j",
          "apiguardian",
          "surefire",
          "loader-tools",
          "-tests");

  /** An application with Tomcat alone does not have these. */
  private static final List<String> OTHERS = List.of("jetty", "kafka", "grpc", "netty", "protobuf");

  private ExecutableJar() {}

  /** Makes the jar in {@code folder}; {@code manifest} are lines of its manifest. */
  static Path make(Path folder, String manifest) throws IOException {
    Path lines = Files.writeString(folder.resolve("MANIFEST.MF"), manifest);
    Path classes = ChildJvm.placeOf(ShopApplication.class);
    Path plain = folder.resolve("plain.jar");
    jar("--create", "--file", plain + "", "--manifest", lines + "", "-C", classes + "", "shop");
    Path executable = folder.resolve("shop.jar");
    Repackager repackager = new Repackager(plain.toFile());
    repackager.setMainClass(ShopApplication.class.getName());
    List<Library> libraries = libraries(folder);
    repackager.repackage(
        executable.toFile(),
        callback -> {
          for (Library library : libraries) {
            callback.library(library);
          }
        });
    return executable;
  }

  private static List<Library> libraries(Path folder) throws IOException {
    List<Library> libraries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path path = Path.of(entry);
      String name = path.getFileName().toString();
      if (path.endsWith("test-classes") || contains(OF_TESTS, name) || contains(OTHERS, name)) {
        continue;
      }
      if (Files.isDirectory(path)) {
        Path packed = folder.resolve(path.getParent().getParent().getFileName() + ".jar");
        jar("--create", "--file", packed + "", "-C", path + "", ".");
        path = packed;
      }
      libraries.add(new Library(path.toFile(), LibraryScope.RUNTIME));
    }
    return libraries;
  }

  private static boolean contains(List<String> parts, String name) {
    return parts.stream().anyMatch(name::contains);
  }

  private static void jar(String... arguments) {
    int code = ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, arguments);
    if (code != 0) {
      throw new AssertionError("jar ended with " + code);
    }
  }
}
