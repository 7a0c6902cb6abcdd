package io.heddle.agent;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@code java -jar heddle.jar}.
 *
 * @param options the options of the agent; null if there are none
 * @param kind what {@code main} is
 * @param main a jar, a source file, or the name of a class
 * @param classPath the paths to append to the class path; for a jar, the jar alone
 * @param arguments the arguments of the main method that is called; for a source file that is the
 *     main method of the JDK's source launcher, and the first argument is the file
 */
record LaunchCommand(
    @Nullable String options,
    ProgramKind kind,
    String main,
    List<Path> classPath,
    String[] arguments) {
  enum ProgramKind {
    JAR,
    SOURCE,
    MAIN_CLASS
  }

  static final String HELP =
      """
      Usage: java -jar heddle.jar [--options=OPTIONS] PROGRAM [ARGUMENTS]
      Runs a program with its virtual threads as goroutines.

      PROGRAM is one of:
        app.jar                 an executable jar
        -cp PATH com.acme.Main  a class on a class path
      OPTIONS are those of the agent, as in --options=adopt=tomcat-*,procs=4 or --options=watch.
      Flags of the JVM go before -jar: java -Xmx2g -Dheddle.procs=4 -jar heddle.jar app.jar\
      """;

  private static final String OPTIONS = "--options=";

  private static final String ALLOWED =
      "allowed is [--options=OPTIONS] followed by app.jar, or -cp PATH and a class";

  /**
   * Parses the command line. Returns null if it asks for help.
   *
   * @throws IllegalArgumentException if it is wrong; the message says what is allowed
   */
  static @Nullable LaunchCommand parse(String[] words) {
    String options = null;
    String classPath = null;
    int next = 0;
    for (; next < words.length && words[next].startsWith("-"); next++) {
      String word = words[next];
      if (word.startsWith(OPTIONS)) {
        options = word.substring(OPTIONS.length());
      } else if (word.equals("--help") || word.equals("-h")) {
        return null;
      } else if (List.of("-cp", "-classpath", "--class-path").contains(word)) {
        if (++next == words.length) {
          throw new IllegalArgumentException(word + " needs a class path: " + ALLOWED);
        }
        classPath = words[next];
      } else if (!word.equals("-jar")) {
        throw new IllegalArgumentException(
            "the option "
                + word
                + " is not known, and flags of the JVM go before -jar: "
                + ALLOWED);
      }
    }
    if (next == words.length) {
      throw new IllegalArgumentException("the program is missing: " + ALLOWED);
    }
    return of(options, classPath, words[next], Arrays.copyOfRange(words, next + 1, words.length));
  }

  private static LaunchCommand of(
      @Nullable String options, @Nullable String classPath, String main, String[] arguments) {
    if (classPath == null && main.endsWith(".jar")) {
      Path jar = existing(main);
      return new LaunchCommand(options, ProgramKind.JAR, main, List.of(jar), arguments);
    }
    List<Path> paths = classPath == null ? List.of() : paths(classPath);
    if (main.endsWith(".java")) {
      Path _ = existing(main);
      String[] all = Stream.concat(Stream.of(main), Stream.of(arguments)).toArray(String[]::new);
      return new LaunchCommand(options, ProgramKind.SOURCE, main, paths, all);
    }
    return new LaunchCommand(options, ProgramKind.MAIN_CLASS, main, paths, arguments);
  }

  private static Path existing(String name) {
    Path file = Path.of(name);
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException(
          "there is no file " + name + " in " + Path.of("").toAbsolutePath() + ": " + ALLOWED);
    }
    return file;
  }

  /**
   * Splits a class path. As for {@code java}, a part that ends with * stands for all jars in that
   * folder.
   */
  private static List<Path> paths(String classPath) {
    List<Path> paths = new ArrayList<>();
    for (String part : classPath.split(File.pathSeparator, -1)) {
      if (part.isEmpty()) {
        paths.add(Path.of("."));
      } else if (part.equals("*") || part.endsWith(File.separator + "*")) {
        File[] files = new File(part.substring(0, part.length() - 1) + ".").listFiles();
        Stream.of(files == null ? new File[0] : files)
            .filter(file -> file.getName().toLowerCase(Locale.ROOT).endsWith(".jar"))
            .sorted()
            .map(file -> file.toPath().normalize())
            .forEach(paths::add);
      } else {
        paths.add(Path.of(part));
      }
    }
    return paths;
  }

  /** The class path, as in the property {@code java.class.path}. */
  String classPathText() {
    return classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /** The program and its arguments, as in the property {@code sun.java.command}. */
  String program() {
    Stream<String> first = kind == ProgramKind.SOURCE ? Stream.empty() : Stream.of(main);
    return Stream.concat(first, Stream.of(arguments)).collect(Collectors.joining(" "));
  }
}
