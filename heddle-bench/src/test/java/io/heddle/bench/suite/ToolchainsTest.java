package io.heddle.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolchainsTest {
  @TempDir Path folder;

  @Test
  void missingToolIsNamed() {
    Toolchains none = toolchains(List.of());
    assertThatThrownBy(none::tokioTwin).hasMessage("no cargo in PATH or the usual folders");
  }

  @Test
  void newestGoIsChosen() throws IOException {
    Path old = tool("old", "go", "echo go version go1.9.7 linux/amd64");
    Path fresh = tool("new", "go", "echo go version go1.21 linux/amd64");
    assertThat(toolchains(List.of(old, fresh)).go().orElseThrow().version()).contains("1.21");
    tool("usr/lib/go-1.22/bin", "go", "echo go version go1.22.1 linux/amd64");
    tool("sdk/go1.22.2/bin", "go", "echo go version go1.22.2 linux/amd64");
    assertThat(toolchains(List.of(fresh)).go().orElseThrow().version()).contains("1.22.2");
  }

  @Test
  void failedBuildSaysWhy() throws IOException {
    Files.createDirectories(folder.resolve("sources/tokio"));
    Path bin =
        tool(
            "bin",
            "cargo",
            "test \"$1\" = --version && echo cargo 1 || { echo 'error: no net' >&2; exit 7; }");
    assertThatThrownBy(toolchains(List.of(bin))::tokioTwin)
        .hasMessage("it could not be built: exit code 7: error: no net");
  }

  @Test
  void missingSourcesAreNamed() throws IOException {
    Path bin = tool("bin", "cargo", "echo cargo 1");
    assertThatThrownBy(toolchains(List.of(bin))::tokioTwin)
        .hasMessageContaining("its sources are missing in ");
  }

  private Toolchains toolchains(List<Path> path) {
    return new Toolchains(
        folder.resolve("sources"), folder.resolve("target"), path, folder, folder);
  }

  private Path tool(String name, String tool, String script) throws IOException {
    Path bin = Files.createDirectories(folder.resolve(name));
    Path file = Files.writeString(bin.resolve(tool), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return bin;
  }
}
