package io.heddle.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that a public repository asks for is staged, and says what it must. */
class StagedFilesTest {
  private static final Staging STAGING = Staging.ofThisBuild();

  static List<String> jars() {
    return Build.JARS;
  }

  static List<String> modules() {
    List<String> modules = new ArrayList<>(Build.JARS);
    modules.add("heddle-bom");
    return modules;
  }

  @ParameterizedTest
  @MethodSource("jars")
  void jarSourcesJavadocAndSbomAreStaged(String module) {
    assertThat(STAGING.filesOf(module))
        .containsKeys(".pom", ".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json");
  }

  @ParameterizedTest
  @MethodSource("modules")
  void everyFileHasChecksumsAndAGoodSignature(String module) throws Exception {
    Map<String, Path> files = STAGING.filesOf(module);
    assertThat(files).containsKey(".pom");
    for (var each : files.entrySet()) {
      String file = each.getValue().toString();
      if (!file.endsWith(".asc")) {
        assertThat(Path.of(file + ".sha1")).exists();
        assertThat(Path.of(file + ".md5")).exists();
        String keys = Build.KEYS.toString();
        String[] verify = {"gpg", "--homedir", keys, "--batch", "--verify", file + ".asc", file};
        assertThat(Build.run(Build.ROOT, Map.of("LC_ALL", "C"), verify).succeeded().output())
            .contains("Good signature");
      }
    }
  }

  @Test
  void changedFileHasABadSignature() throws Exception {
    Path folder = Build.emptyFolder("changed");
    Path pom = STAGING.file("heddle", ".pom");
    Path changed = folder.resolve("changed.pom");
    Files.writeString(changed, Files.readString(pom) + " ");
    String keys = Build.KEYS.toString();
    String[] verify = {
      "gpg", "--homedir", keys, "--batch", "--verify", pom + ".asc", changed.toString()
    };
    assertThat(Build.run(folder, Map.of("LC_ALL", "C"), verify).output()).contains("BAD signature");
  }

  @ParameterizedTest
  @MethodSource("modules")
  void pomIsCompleteAndStandsAlone(String module) throws IOException {
    String pom = Files.readString(STAGING.file(module, ".pom"));
    assertThat(pom)
        .contains("<name>", "<description>", "<url>", "<license>", "<developer>", "<scm")
        .contains("<connection>", "<developerConnection>")
        .contains("<artifactId>" + module + "</artifactId>")
        .contains("<version>" + Build.VERSION + "</version>")
        .doesNotContain("<parent>", "<properties>", "<scope>test</scope>", "<repositories>")
        .doesNotContain(Build.ROOT.toString());
  }

  @ParameterizedTest
  @MethodSource("jars")
  void everyJarHasLicenceAndNoticeAndNoTraceOfThisMachine(String module) throws IOException {
    String licence = Files.readString(Build.ROOT.resolve("LICENSE"));
    String notice = Files.readString(Build.ROOT.resolve("NOTICE"));
    for (Path file : STAGING.filesOf(module).values()) {
      if (!file.toString().endsWith(".jar")) {
        continue;
      }
      try (JarFile jar = new JarFile(file.toFile())) {
        assertThat(text(jar, "META-INF/LICENSE")).as(file.toString()).isEqualTo(licence);
        assertThat(text(jar, "META-INF/NOTICE")).as(file.toString()).isEqualTo(notice);
        assertThat(jar.getManifest().getMainAttributes().keySet().toString())
            .doesNotContain("Built-By", "Build-Jdk", "Created-By");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("jars")
  void sourcesAndJavadocAreThoseOfTheModule(String module) throws IOException {
    try (JarFile sources = new JarFile(STAGING.file(module, "-sources.jar").toFile());
        JarFile javadoc = new JarFile(STAGING.file(module, "-javadoc.jar").toFile());
        Stream<Path> files = Files.walk(folderOf(module).resolve("src/main/java"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = folderOf(module).resolve("src/main/java").relativize(file).toString();
        assertThat(text(sources, name)).isEqualTo(Files.readString(file));
      }
      assertThat(javadoc.getEntry("index.html")).isNotNull();
    }
  }

  @ParameterizedTest
  @MethodSource("jars")
  void sbomNamesTheDependencies(String module) throws IOException {
    String sbom = Files.readString(STAGING.file(module, "-cyclonedx.json"));
    assertThat(sbom)
        .contains("\"bomFormat\" : \"CycloneDX\"", "pkg:maven/io.heddle/" + module, "jspecify")
        .doesNotContain(Build.ROOT.toString(), "assertj");
  }

  private static Path folderOf(String module) {
    return Build.ROOT.resolve(module.equals("heddle") ? "heddle-core" : module);
  }

  private static String text(JarFile jar, String name) throws IOException {
    assertThat(jar.getEntry(name)).as(name + " in " + jar.getName()).isNotNull();
    try (var in = jar.getInputStream(jar.getEntry(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
