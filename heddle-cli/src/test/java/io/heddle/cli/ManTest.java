package io.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The manual pages. */
class ManTest {
  @TempDir Path folder;

  @Test
  void pageOfACommandHasItsHelp() {
    Run run = Run.of("man", "dump");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith(".TH HEDDLE-DUMP 1")
        .contains(".SH NAME\n.nf\nheddle\\-dump \\- ", ".SH SYNOPSIS", ".SH OPTIONS", "\\-\\-help")
        .endsWith(".SH SEE ALSO\n.nf\nheddle(1)\n.fi\n");
  }

  @Test
  void pageOfHeddleNamesAllCommands() {
    assertThat(Run.of("man").out())
        .startsWith(".TH HEDDLE 1")
        .contains(".SH COMMANDS", "run", "demo", "trace", "completion", "man");
  }

  @Test
  void thereIsOneFilePerCommand() throws Exception {
    assertThat(Run.of("man", "--to", folder + "/a/man1").exitCode()).isZero();

    try (Stream<Path> files = Files.list(folder.resolve("a/man1"))) {
      List<String> names = files.map(file -> file.getFileName().toString()).toList();
      assertThat(names)
          .contains("heddle.1", "heddle-run.1", "heddle-demo.1", "heddle-man.1", "heddle-help.1");
    }
  }

  @Test
  void groffReadsEveryPageWithoutAWarning() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/groff")), "needs groff");
    assertThat(Run.of("man", "--to", folder.toString()).exitCode()).isZero();
    Process groff =
        new ProcessBuilder("/bin/sh", "-c", "groff -man -Tascii -ww *.1 2>&1 >text ")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(groff.getInputStream().readAllBytes());
    assertThat(groff.waitFor()).isZero();
    assertThat(said).isEmpty();
    assertThat(folder.resolve("text")).content().contains("HEDDLE-RUN(1)", "--schedtrace");
  }

  @Test
  void unknownCommandAndImpossibleFolderAreErrors() throws Exception {
    assertThat(Run.of("man", "nothing").err()).contains("there is no command 'nothing'");
    Path file = Files.createFile(folder.resolve("file"));
    assertThat(Run.of("man", "--to", file + "/man1").err()).contains("cannot be made");
    assertThat(Run.of("man", "run", "--to", "x").err()).contains("it takes no command");
  }
}
