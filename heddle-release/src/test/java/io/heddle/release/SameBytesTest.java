package io.heddle.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A second build, of a copy in another folder, at another time, makes the same bytes. */
class SameBytesTest {
  private static final Set<String> BUILT = Set.of("target", ".git", ".flattened-pom.xml");

  @Test
  void secondBuildOfACopyMakesTheSameFiles() throws Exception {
    Path copy = Build.emptyFolder("second build");
    copy(Build.ROOT, copy);
    String modules =
        "heddle-bom," + String.join(",", Build.JARS).replace("heddle,", "heddle-core,");
    Build.maven(
            copy,
            "-Prelease",
            "-Dgpg.skip",
            "-Dmaven.repo.local=" + Build.LOCAL_REPOSITORY,
            "verify",
            "-pl",
            modules,
            "-am")
        .succeeded();

    Staging first = Staging.ofThisBuild();
    Staging second = new Staging(copy.resolve("target/staging"));
    List<String> different = new ArrayList<>();
    int compared = 0;
    for (String module : StagedFilesTest.modules()) {
      Map<String, Path> files = second.filesOf(module);
      files.keySet().removeIf(name -> name.endsWith(".asc")); // a signature has its time
      assertThat(files).containsKey(".pom");
      for (var each : files.entrySet()) {
        compared++;
        if (Files.mismatch(each.getValue(), first.file(module, each.getKey())) >= 0) {
          different.add(module + each.getKey());
        }
      }
    }
    assertThat(different).isEmpty();
    assertThat(compared).isGreaterThan(5 * Build.JARS.size());
    Build.emptyFolder("second build");
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            if (isBuilt(folder)) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(to.resolve(from.relativize(folder)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!isBuilt(file)) {
              Files.copy(
                  file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static boolean isBuilt(Path path) {
    return BUILT.contains(path.getFileName().toString());
  }
}
