package io.heddle.internal.jdk;

import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Patches the method through which the JDK makes all virtual threads. A thread for which the
 * program did not choose a scheduler then gets its executor from Heddle.
 */
public final class ThreadBuilderPatch {
  /*
   * ThreadBuilders.newVirtualThread(Executor scheduler, String name, int characteristics, Runnable
   * task) contains, where the JVM has virtual threads of its own:
   *   return new VirtualThread(scheduler, name, characteristics, task);
   * The patch removes the instructions new and dup, and replaces the call of the constructor:
   *   return HeddleThreadChooser.newVirtualThread(scheduler, name, characteristics, task);
   * A class of java.base cannot see Heddle's classes. HeddleThreadChooser is therefore defined in
   * java.lang, with a field of the JDK's type Function. Heddle writes its chooser there.
   */
  private static final String BUILDERS = "java.lang.ThreadBuilders";
  private static final String CHOOSER = "java/lang/HeddleThreadChooser";
  private static final String METHOD = "newVirtualThread";
  private static final String ARGUMENTS =
      "(Ljava/util/concurrent/Executor;Ljava/lang/String;ILjava/lang/Runnable;)";

  private ThreadBuilderPatch() {}

  /**
   * Applies the patch.
   *
   * @param chooser called on the thread that makes a virtual thread, with the name of the new
   *     thread or null. The function returns the executor of the new thread, or null for the JDK's
   *     choice, and must not throw.
   * @throws ReflectiveOperationException if this is a JDK with other internals; then threads are
   *     made as before
   */
  public static void open(
      ClassChanges classes, Function<@Nullable String, @Nullable Executor> chooser)
      throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = JdkLookup.inJavaLang();
    BootClasses.set(BootClasses.define(lookup, CHOOSER), "chooser", chooser);
    classes.apply(lookup, CHOOSER, Map.of(BUILDERS, ThreadBuilderPatch::change));
  }

  private static byte[] change(byte[] file) {
    ClassFileEdit edit = new ClassFileEdit(file);
    int changed = 0;
    for (int i = 0; i < edit.count(); i++) {
      if (edit.isCall(
              i, ClassFileEdit.INVOKE_SPECIAL, "java/lang/VirtualThread", "<init>", ARGUMENTS + "V")
          && edit.endsWith(
              i,
              ClassFileEdit.NEW,
              ClassFileEdit.DUP,
              ClassFileEdit.ALOAD_0,
              ClassFileEdit.ALOAD_1,
              ClassFileEdit.ILOAD_2,
              ClassFileEdit.ALOAD_3,
              ClassFileEdit.INVOKE_SPECIAL)
          && edit.endsWith(i + 1, ClassFileEdit.ARETURN)) {
        edit.remove(i - 6);
        edit.remove(i - 5);
        edit.callStatic(i, CHOOSER, METHOD, ARGUMENTS + "Ljava/lang/Thread;");
        changed++;
      }
    }
    if (changed != 1) {
      throw new IllegalStateException(
          BUILDERS + "." + METHOD + " makes a thread in another way than this version knows");
    }
    return edit.toBytes();
  }
}
