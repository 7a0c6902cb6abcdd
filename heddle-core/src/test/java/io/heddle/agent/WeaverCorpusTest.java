package io.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.HangGuard;
import io.heddle.internal.jdk.YieldPoint;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Weaves every available class and runs both verifiers of the JDK on the result. */
@HangGuard
class WeaverCorpusTest {
  private static final ClassFile VERIFIER =
      ClassFile.of(
          ClassFile.ClassHierarchyResolverOption.of(
              ClassHierarchyResolver.defaultResolver()
                  .orElse(
                      ClassHierarchyResolver.ofResourceParsing(
                          ClassLoader.getSystemClassLoader()))));

  private final List<String> leftOut = new ArrayList<>();
  private final Weaver weaver =
      new Weaver(YieldPoint.HOLDER, (method, why) -> leftOut.add(method + ": " + why));
  private int woven;

  @Test
  void wovenJdkClassesVerify() {
    Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");
    forEachClass(root.resolve("java/util"), this::weaveAndVerify);
    assertThat(woven).isGreaterThan(500);
    assertThat(leftOut).allMatch(line -> line.contains("long"));
  }

  @Test
  void wovenLibraryClassesVerify() {
    forEachRoot(root -> forEachClass(root, this::weaveAndVerify));
    assertThat(woven).isGreaterThan(500);
    assertThat(leftOut).allMatch(line -> line.contains("long"));
  }

  /** Here the JVM's own verifier checks the classes. */
  @Test
  void jvmLinksWovenLibraryClasses() {
    Map<String, byte[]> classes = new HashMap<>();
    forEachRoot(root -> forEachClass(root, file -> add(classes, file)));
    WovenLoader loader = new WovenLoader(classes);
    List<String> refused = new ArrayList<>();
    int linked = 0;
    for (String name : classes.keySet()) {
      try {
        Class<?> type = Class.forName(name, false, loader);
        linked += type.getDeclaredMethods().length > 0 ? 1 : 0; // links the class first
      } catch (VerifyError | ClassFormatError e) {
        refused.add(name + ": " + e);
      } catch (ClassNotFoundException | LinkageError e) {
        // the class needs one that is missing, woven or not
      }
    }
    assertThat(refused).isEmpty();
    assertThat(linked).isGreaterThan(1_000);
  }

  private void weaveAndVerify(Path file) {
    byte[] bytes = read(file);
    byte[] result = weaver.weave(bytes);
    if (result == null) {
      return;
    }
    woven++;
    if (!VERIFIER.verify(result).isEmpty()) {
      assertThat(messages(result)).as(file.toString()).isEqualTo(messages(bytes));
    }
    assertThat(weaver.weave(result)).as("woven twice").isNull();
  }

  /** Some classes do not verify even unwoven, because classes that they use are missing. */
  private static List<String> messages(byte[] bytes) {
    return VERIFIER.verify(bytes).stream().map(WeaverCorpusTest::withoutPlace).toList();
  }

  private static String withoutPlace(VerifyError e) {
    return e.getMessage().lines().findFirst().orElse("").replaceAll("@\\d+", "@");
  }

  private void add(Map<String, byte[]> classes, Path file) {
    byte[] bytes = read(file);
    byte[] result = weaver.weave(bytes);
    String name = ClassFile.of().parse(bytes).thisClass().asInternalName().replace('/', '.');
    classes.putIfAbsent(name, result == null ? bytes : result);
  }

  /**
   * Applies {@code action} to the class path: Heddle's own classes and the jars of the test
   * libraries.
   */
  private static void forEachRoot(Consumer<Path> action) {
    Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(Files::exists)
        .filter(WeaverCorpusTest::isWanted)
        .forEach(entry -> inside(entry, action));
  }

  /** Excludes most jars, because all of them would take long. */
  private static boolean isWanted(Path entry) {
    String name = entry.getFileName().toString();
    return Files.isDirectory(entry) || name.contains("junit") || name.contains("assertj");
  }

  private static void inside(Path entry, Consumer<Path> action) {
    if (Files.isDirectory(entry)) {
      action.accept(entry);
      return;
    }
    try (FileSystem jar = FileSystems.newFileSystem(entry)) {
      action.accept(jar.getPath("/"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void forEachClass(Path root, Consumer<Path> action) {
    try (Stream<Path> files = Files.walk(root)) {
      files
          .filter(file -> file.toString().endsWith(".class"))
          .filter(file -> !file.toString().contains("META-INF"))
          .filter(file -> !file.toString().endsWith("-info.class"))
          .forEach(action);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
