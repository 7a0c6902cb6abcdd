package io.heddle.bench.suite;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the tools that build the twins outside the JVM, and builds the twins. */
final class Toolchains {
  private static final int VERSION_SECONDS = 20;
  private static final int BUILD_SECONDS = 300;
  private static final Pattern GO_VERSION = Pattern.compile("go(\\d+)\\.(\\d+)(?:\\.(\\d+))?");

  private static final Pattern TOKIO_VERSION = Pattern.compile("tokio *=.*version *= *\"=([^\"]*)");

  /** A tool that was found, and the version that it prints. */
  record Tool(Path path, String version) {}

  private final Path sources;
  private final Path target;
  private final List<Path> path;
  private final Path home;
  private final Path root;

  /** Searches {@code path} first, then the usual folders below {@code home} and {@code root}. */
  Toolchains(Path sources, Path target, List<Path> path, Path home, Path root) {
    this.sources = sources;
    this.target = target;
    this.path = path;
    this.home = home;
    this.root = root;
  }

  /** The tools of this machine. The peers' sources are beside the jar's folder. */
  static Toolchains here(Path jar) {
    Path target = Objects.requireNonNull(jar.toAbsolutePath().getParent());
    List<Path> path =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .filter(each -> !each.isEmpty())
            .map(Path::of)
            .toList();
    return new Toolchains(
        target.resolveSibling("peers"),
        target.resolve("peers"),
        path,
        Path.of(System.getProperty("user.home")),
        Path.of("/"));
  }

  /** The newest Go that is installed. */
  Optional<Tool> go() {
    List<Path> folders = new ArrayList<>(path);
    folders.add(root.resolve("usr/local/go/bin"));
    folders.addAll(binsIn(root.resolve("usr/lib"), "go-"));
    folders.addAll(binsIn(home.resolve("sdk"), "go"));
    return tools(folders, "go", "version").max(Comparator.comparingLong(Toolchains::goVersion));
  }

  Optional<Tool> cargo() {
    List<Path> folders = new ArrayList<>(path);
    folders.add(home.resolve(".cargo/bin"));
    return tools(folders, "cargo", "--version").findFirst();
  }

  /**
   * Returns Go's twin, built if its sources are newer. Throws {@link IOException} with the reason
   * if there is none.
   */
  Path goTwin() throws IOException {
    Tool go = go().orElseThrow(() -> new IOException("no go in PATH or the usual folders"));
    Path twin = target.resolve("go-twin");
    if (isOld(twin, sources("go"))) {
      build(List.of(go.path.toString(), "build", "-C", sources("go").toString(), "-o", twin + ""));
    }
    return twin;
  }

  /** Returns Tokio's twin, in the same way as {@link #goTwin}. */
  Path tokioTwin() throws IOException {
    Tool cargo =
        cargo().orElseThrow(() -> new IOException("no cargo in PATH or the usual folders"));
    Path twin = target.resolve("tokio/release/twin");
    if (isOld(twin, sources("tokio"))) {
      build(
          List.of(
              cargo.path.toString(),
              "build",
              "--release",
              "--quiet",
              "--manifest-path",
              sources("tokio").resolve("Cargo.toml").toString(),
              "--target-dir",
              target.resolve("tokio").toString()));
    }
    return twin;
  }

  /** The Tokio version that the twin's manifest requires. */
  String tokioVersion() {
    try {
      String manifest = Files.readString(sources("tokio").resolve("Cargo.toml"));
      Matcher matcher = TOKIO_VERSION.matcher(manifest);
      return matcher.find() ? matcher.group(1) : "";
    } catch (IOException e) {
      return "";
    }
  }

  private Path sources(String name) throws IOException {
    Path folder = sources.resolve(name);
    if (!Files.isDirectory(folder)) {
      throw new IOException("its sources are missing in " + folder);
    }
    return folder;
  }

  private void build(List<String> command) throws IOException {
    Files.createDirectories(target);
    try {
      ChildProcess.run(command, BUILD_SECONDS);
    } catch (IOException e) {
      throw new IOException("it could not be built: " + e.getMessage());
    }
  }

  private static boolean isOld(Path made, Path folder) throws IOException {
    if (!Files.exists(made)) {
      return true;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      long since = Files.getLastModifiedTime(made).toMillis();
      return files.anyMatch(file -> file.toFile().isFile() && file.toFile().lastModified() > since);
    }
  }

  private static Stream<Tool> tools(List<Path> folders, String name, String versionArgument) {
    return folders.stream()
        .map(folder -> folder.resolve(name))
        .filter(Files::isExecutable)
        .distinct()
        .flatMap(tool -> tool(tool, versionArgument).stream());
  }

  private static Optional<Tool> tool(Path path, String versionArgument) {
    try {
      List<String> lines =
          ChildProcess.run(List.of(path.toString(), versionArgument), VERSION_SECONDS);
      return lines.isEmpty() ? Optional.empty() : Optional.of(new Tool(path, lines.getFirst()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static List<Path> binsIn(Path folder, String prefix) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> each = Files.list(folder)) {
      return each.filter(path -> path.getFileName().toString().startsWith(prefix))
          .map(path -> path.resolve("bin"))
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /** The version as one number, for comparison. */
  private static long goVersion(Tool tool) {
    Matcher matcher = GO_VERSION.matcher(tool.version);
    if (!matcher.find()) {
      return 0;
    }
    long patch = matcher.group(3) == null ? 0 : Long.parseLong(matcher.group(3));
    return (Long.parseLong(matcher.group(1)) * 1_000 + Long.parseLong(matcher.group(2))) * 1_000
        + patch;
  }
}
