package io.heddle.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.file.Path;
import jdk.internal.misc.MethodFinder;
import jdk.internal.misc.VM;
import org.jspecify.annotations.Nullable;

/**
 * The steps that the command {@code java} does before it starts a program. Heddle's launcher must
 * do them itself, because it starts the program in its own JVM. Every method but {@link
 * #nameCommand} needs java.lang to be open to Heddle.
 */
public final class AppClassPath {
  private AppClassPath() {}

  /** Appends a jar or a folder to the class path of this JVM. */
  public static void append(Path path) throws ReflectiveOperationException {
    ClassLoader loader = ClassLoader.getSystemClassLoader();
    MethodHandles.Lookup lookup = JdkLookup.in(loader.getClass());
    MethodHandle append =
        lookup
            .findVirtual(
                loader.getClass(),
                "appendToClassPathForInstrumentation",
                MethodType.methodType(void.class, String.class))
            .asType(MethodType.methodType(void.class, ClassLoader.class, String.class));
    try {
      append.invokeExact(loader, path.toString());
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }

  /** Does what {@code Add-Opens} in a manifest does for one package. */
  public static void open(Module module, String packageName) throws ReflectiveOperationException {
    change(module, "implAddOpensToAllUnnamed", packageName);
  }

  /** Does what {@code Add-Exports} in a manifest does for one package. */
  public static void export(Module module, String packageName) throws ReflectiveOperationException {
    change(module, "implAddExportsToAllUnnamed", packageName);
  }

  /** Does what {@code Enable-Native-Access} in a manifest does. */
  public static void enableNativeAccess() throws ReflectiveOperationException {
    MethodHandle enable =
        JdkLookup.inJavaLang()
            .findVirtual(
                Module.class, "implAddEnableNativeAccess", MethodType.methodType(Module.class));
    try {
      Module _ = (Module) enable.invokeExact(ClassLoader.getSystemClassLoader().getUnnamedModule());
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }

  /**
   * Returns the main method of {@code type}, in any of the forms that {@code java} accepts; null if
   * it has none.
   */
  public static @Nullable Method mainOf(Class<?> type) throws ReflectiveOperationException {
    JdkLookup.export("jdk.internal.misc");
    return MethodFinder.findMainMethod(type);
  }

  /** Sets what tools show as the command of this JVM. */
  public static void nameCommand(String command) {
    System.setProperty("sun.java.command", command);
  }

  /**
   * Returns the main method of the JDK's launcher for source files.
   *
   * @throws IllegalArgumentException if this launcher cannot be used in this JVM; the message says
   *     why
   */
  public static Method mainOfSourceLauncher() throws ReflectiveOperationException {
    Module compiler = ModuleLayer.boot().findModule("jdk.compiler").orElse(null);
    if (compiler == null) {
      throw new IllegalArgumentException("this Java has no compiler: a source file needs a JDK");
    }
    JdkLookup.export("jdk.internal.misc");
    if (VM.getRuntimeArguments() == null) { // the JDK's launcher would fail with an NPE
      throw new IllegalArgumentException(
          "a source file needs a flag of the JVM: allowed is java -Dheddle.procs=N -jar heddle.jar"
              + " Hello.java, or heddle run Hello.java");
    }
    export(compiler, "com.sun.tools.javac.launcher");
    return Class.forName("com.sun.tools.javac.launcher.SourceLauncher")
        .getMethod("main", String[].class);
  }

  private static void change(Module module, String method, String packageName)
      throws ReflectiveOperationException {
    MethodHandle change =
        JdkLookup.inJavaLang()
            .findVirtual(Module.class, method, MethodType.methodType(void.class, String.class));
    try {
      change.invokeExact(module, packageName);
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }
}
