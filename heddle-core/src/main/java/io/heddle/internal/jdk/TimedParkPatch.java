package io.heddle.internal.jdk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Patches the method with which the JDK schedules the wake-up of a virtual thread that parks or
 * waits with a time limit. Heddle may then schedule the wake-up instead.
 */
public final class TimedParkPatch {
  /*
   * For a virtual thread whose scheduler is not the JDK's pool, the JDK schedules the wake-up with
   * the static method schedule(Runnable command, long delay, TimeUnit unit) of the class
   * VirtualThread.DelayedTaskSchedulers, which chooses a pool:
   *   return pool.schedule(command, delay, unit);
   * The patch replaces that call:
   *   return HeddleTime.schedule(pool, command, delay, unit);
   * The first use of the class loads it. Before that, it can be changed without an agent.
   *
   * HeddleTime is defined in java.lang. HeddleTime copies the handle of ask from its nested class
   * ScheduleHandle, whose field is written first, into a static final field, so that the compilers
   * inline through it.
   */
  private static final String TARGET = "java.lang.VirtualThread$DelayedTaskSchedulers";
  private static final String HOLDER = "java/lang/HeddleTime";
  private static final String NAME = "schedule";
  private static final String POOL = "java/util/concurrent/ScheduledExecutorService";
  private static final String ARGUMENTS = "Ljava/lang/Runnable;JLjava/util/concurrent/TimeUnit;)";

  private static volatile @Nullable Timers timers;

  /** How Heddle schedules wake-ups. */
  public interface Timers {
    /**
     * Runs {@code command}, which is short and never parks, after {@code delay} on any platform
     * thread. Called on the carrier from which the waiting thread has just unmounted. This method
     * never throws.
     *
     * @return a future that cancels the command; null if the JDK must schedule it
     */
    @Nullable Future<?> schedule(Runnable command, long delay, TimeUnit unit);
  }

  private TimedParkPatch() {}

  /**
   * Applies the patch.
   *
   * @throws ReflectiveOperationException if this is a JDK with other internals; then wake-ups are
   *     scheduled as before
   */
  public static void open(ClassChanges classes, Timers timers) throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = JdkLookup.inJavaLang();
    TimedParkPatch.timers = timers;
    BootClasses.set(
        BootClasses.define(lookup, HOLDER + "$ScheduleHandle"),
        NAME,
        MethodHandles.lookup()
            .findStatic(
                TimedParkPatch.class,
                "ask",
                MethodType.methodType(Future.class, Runnable.class, long.class, TimeUnit.class)));
    Class<?> _ = BootClasses.define(lookup, HOLDER);
    classes.apply(lookup, HOLDER, Map.of(TARGET, TimedParkPatch::change));
  }

  /** Called by {@code HeddleTime}; null if the JDK must schedule the command. */
  static @Nullable Future<?> ask(Runnable command, long delay, TimeUnit unit) {
    Timers asked = timers;
    return asked == null ? null : asked.schedule(command, delay, unit);
  }

  private static byte[] change(byte[] file) {
    ClassFileEdit edit = new ClassFileEdit(file);
    int changed = 0;
    for (int i = 0; i < edit.count(); i++) {
      if (edit.isCall(i, ClassFileEdit.INVOKE_INTERFACE, POOL, NAME, null)
          && edit.typeOfCall(i).startsWith("(" + ARGUMENTS)
          && edit.endsWith(i + 1, ClassFileEdit.INVOKE_INTERFACE, ClassFileEdit.ARETURN)) {
        edit.callStatic(
            i, HOLDER, NAME, "(L" + POOL + ";" + ARGUMENTS + "Ljava/util/concurrent/Future;");
        changed++;
      }
    }
    if (changed != 1) {
      throw new IllegalStateException(TARGET + " schedules in another way than this version knows");
    }
    return edit.toBytes();
  }
}
