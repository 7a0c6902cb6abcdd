package io.heddle.agent;

import io.heddle.internal.jdk.AppClassPath;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Starts Heddle and then a program in the same JVM: what {@code Launch} does on a supported JDK.
 */
public final class Launcher {
  private Launcher() {}

  /** Called by {@code Launch}, through reflection. Throws what the program throws. */
  public static void main(String[] arguments) throws Throwable {
    Method main;
    LaunchCommand command;
    try {
      command = LaunchCommand.parse(arguments);
      if (command == null) {
        System.out.println(LaunchCommand.HELP);
        return;
      }
      AgentStart.startWithoutAgent(command.options());
      AppClassPath.nameCommand(command.program());
      main = prepare(command);
    } catch (IllegalArgumentException e) {
      System.err.println("heddle: " + e.getMessage());
      System.exit(2);
      return;
    }
    call(main, command.arguments());
  }

  /**
   * Completes the class path, and returns the main method of the program. Throws {@link
   * IllegalArgumentException} if the program cannot be started; the message says why.
   */
  private static Method prepare(LaunchCommand command) throws ReflectiveOperationException {
    try {
      if (!command.classPath().isEmpty()) {
        for (Path path : command.classPath()) {
          AppClassPath.append(path);
        }
        System.setProperty("java.class.path", command.classPathText());
      }
      return switch (command.kind()) {
        case JAR -> mainOf(mainClassOf(command.classPath().getFirst()));
        case MAIN_CLASS -> mainOf(command.main());
        case SOURCE -> AppClassPath.mainOfSourceLauncher();
      };
    } catch (IllegalAccessException e) {
      throw new IllegalArgumentException(
          "java.lang is not open, so the program cannot be started: allowed is java -jar heddle.jar"
              + " ..., or the flag --add-opens java.base/java.lang=ALL-UNNAMED",
          e);
    }
  }

  private static String mainClassOf(Path jar) throws ReflectiveOperationException {
    Attributes attributes;
    try (JarFile file = new JarFile(jar.toFile())) {
      Manifest manifest = file.getManifest();
      attributes = manifest == null ? new Attributes() : manifest.getMainAttributes();
    } catch (IOException e) {
      throw new IllegalArgumentException(jar + " cannot be read as a jar: " + e.getMessage(), e);
    }
    String main = attributes.getValue(Attributes.Name.MAIN_CLASS);
    if (main == null) {
      throw new IllegalArgumentException(
          "the manifest of " + jar + " has no Main-Class: allowed is -cp " + jar + " and a class");
    }
    for (JdkPackage opened : packages(attributes.getValue("Add-Opens"))) {
      AppClassPath.open(opened.module(), opened.name());
    }
    for (JdkPackage exported : packages(attributes.getValue("Add-Exports"))) {
      AppClassPath.export(exported.module(), exported.name());
    }
    if (attributes.getValue("Enable-Native-Access") != null) {
      AppClassPath.enableNativeAccess();
    }
    String agent = attributes.getValue("Launcher-Agent-Class");
    if (agent != null && !agent.equals("io.heddle.agent.Agent")) {
      System.err.println(
          "heddle: the agent "
              + agent
              + " of "
              + jar
              + " is not started: allowed is -javaagent:"
              + jar);
    }
    return main.strip();
  }

  /** A package of a module of the JDK, from a manifest. */
  private record JdkPackage(Module module, String name) {}

  /**
   * Parses {@code MODULE/PACKAGE MODULE/PACKAGE}. Entries with an unknown module or package are
   * left out, as {@code java} does. If {@code text} is null, there are no entries.
   */
  private static List<JdkPackage> packages(@Nullable String text) {
    return text == null
        ? List.of()
        : List.of(text.strip().split("\\s+")).stream()
            .map(entry -> entry.split("/", 2))
            .filter(parts -> parts.length == 2)
            .flatMap(
                parts ->
                    ModuleLayer.boot()
                        .findModule(parts[0])
                        .filter(module -> module.getPackages().contains(parts[1]))
                        .map(module -> new JdkPackage(module, parts[1]))
                        .stream())
            .toList();
  }

  private static Method mainOf(String name) throws ReflectiveOperationException {
    Class<?> type;
    try {
      type = Class.forName(name, false, ClassLoader.getSystemClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("there is no class " + name + " on the class path", e);
    }
    try {
      Method main = AppClassPath.mainOf(type);
      if (main != null) {
        return main;
      }
    } catch (IllegalAccessException | LinkageError e) {
      // java.lang is not open, or this JDK looks for main methods in another way. Then only the
      // common form is found: a public method with one parameter.
      for (Method method : type.getMethods()) {
        if (method.getName().equals("main") && method.getParameterCount() == 1) {
          return method;
        }
      }
    }
    throw new IllegalArgumentException("the class " + name + " has no main method");
  }

  private static void call(Method main, String[] arguments) throws Throwable {
    try {
      main.setAccessible(true);
      Object receiver = null;
      if (!Modifier.isStatic(main.getModifiers())) {
        var constructor = main.getDeclaringClass().getDeclaredConstructor();
        constructor.setAccessible(true);
        receiver = constructor.newInstance();
      }
      Object _ =
          main.getParameterCount() == 0
              ? main.invoke(receiver)
              : main.invoke(receiver, (Object) arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
