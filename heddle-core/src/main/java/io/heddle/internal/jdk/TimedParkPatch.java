package io.heddle.internal.jdk;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Patches the method through which a virtual thread that parks or waits with a time limit schedules
 * its wake-up, so that Heddle may schedule the wake-up instead.
 */
public final class TimedParkPatch {
  /*
   * For a virtual thread whose scheduler is not the JDK's pool, the JDK schedules the wake-up with
   * the static method schedule(Runnable command, long delay, TimeUnit unit) of the class
   * VirtualThread.DelayedTaskSchedulers. The patch inserts at the head of that method:
   *   Future future = HeddleTime.schedule.invokeExact(command, delay, unit);
   *   if (future != null) return future;
   * The first use of the class loads it. Before that, it can be changed without an agent.
   *
   * HeddleTime is defined in java.lang. HeddleTime copies the handle from HeddleTimeHandles, whose
   * field is written first, into a static final field, so that the compilers inline through it.
   */
  private static final String TARGET = "java.lang.VirtualThread$DelayedTaskSchedulers";
  private static final ClassDesc HOLDER = ClassDesc.of("java.lang.HeddleTime");
  private static final ClassDesc SOURCE = ClassDesc.of("java.lang.HeddleTimeHandles");
  private static final ClassDesc HANDLE = ClassDesc.of(MethodHandle.class.getName());
  private static final ClassDesc FUTURE = ClassDesc.of(Future.class.getName());
  private static final String NAME = "schedule";
  private static final MethodTypeDesc TYPE =
      MethodTypeDesc.of(
          FUTURE,
          ClassDesc.of("java.lang.Runnable"),
          ConstantDescs.CD_long,
          ClassDesc.of(TimeUnit.class.getName()));

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
   * @throws ReflectiveOperationException if this is a JDK with other internals; then all classes
   *     are as before
   */
  public static void open(ClassChanges classes, Timers timers) throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = JdkLookup.inJavaLang();
    MethodHandle ask =
        MethodHandles.lookup()
            .findVirtual(
                Timers.class,
                NAME,
                MethodType.methodType(Future.class, Runnable.class, long.class, TimeUnit.class))
            .bindTo(timers);
    Class<?> source =
        lookup.defineClass(
            ClassFile.of()
                .build(
                    SOURCE,
                    clazz ->
                        clazz.withField(
                            NAME, HANDLE, ClassFile.ACC_STATIC | ClassFile.ACC_VOLATILE)));
    lookup.findStaticVarHandle(source, NAME, MethodHandle.class).setVolatile(ask);
    Class<?> _ = lookup.defineClass(holder());
    ClassTransform change =
        HeadInsertion.of(
            TARGET + "." + NAME + TYPE.descriptorString(),
            TimedParkPatch::isTarget,
            TimedParkPatch::ask);
    classes.apply(lookup, HOLDER, Map.of(TARGET, change));
  }

  private static byte[] holder() {
    return ClassFile.of()
        .build(
            HOLDER,
            clazz ->
                clazz
                    .withField(NAME, HANDLE, ClassFile.ACC_STATIC | ClassFile.ACC_FINAL)
                    .withMethodBody(
                        "<clinit>",
                        MethodTypeDesc.of(ConstantDescs.CD_void),
                        ClassFile.ACC_STATIC,
                        code ->
                            code.getstatic(SOURCE, NAME, HANDLE)
                                .putstatic(HOLDER, NAME, HANDLE)
                                .return_()));
  }

  private static boolean isTarget(MethodModel method) {
    return method.methodName().equalsString(NAME)
        && method.methodTypeSymbol().equals(TYPE)
        && (method.flags().flagsMask() & ClassFile.ACC_STATIC) != 0;
  }

  private static void ask(CodeBuilder code) {
    code.getstatic(HOLDER, NAME, HANDLE)
        .aload(0)
        .lload(1)
        .aload(3)
        .invokevirtual(HANDLE, "invokeExact", TYPE)
        .dup()
        .ifThen(Opcode.IFNONNULL, CodeBuilder::areturn)
        .pop();
  }
}
