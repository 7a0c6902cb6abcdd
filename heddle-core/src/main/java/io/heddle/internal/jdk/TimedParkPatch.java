package io.heddle.internal.jdk;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Patches the method through which a virtual thread that parks or waits with a time limit schedules
 * its wake-up, so that Heddle may schedule the wake-up instead.
 */
public final class TimedParkPatch {
  /*
   * The patch inserts at the head of VirtualThread.schedule(Runnable command, long delay, TimeUnit
   * unit):
   *   Future future = HeddleTime.schedule.invokeExact(this.scheduler, command, delay, unit);
   *   if (future != null) return future;
   * HeddleTime is defined in java.lang. HeddleTime copies the handle from HeddleTimeHandles, whose
   * field is written first, into a static final field, so that the compilers inline through it.
   */
  private static final ClassDesc THREAD = ClassDesc.of("java.lang.VirtualThread");
  private static final ClassDesc HOLDER = ClassDesc.of("java.lang.HeddleTime");
  private static final ClassDesc SOURCE = ClassDesc.of("java.lang.HeddleTimeHandles");
  private static final ClassDesc HANDLE = ClassDesc.of(MethodHandle.class.getName());
  private static final ClassDesc EXECUTOR = ClassDesc.of(Executor.class.getName());
  private static final ClassDesc FUTURE = ClassDesc.of(Future.class.getName());
  private static final String NAME = "schedule";
  private static final MethodTypeDesc TYPE =
      MethodTypeDesc.of(
          FUTURE,
          ClassDesc.of("java.lang.Runnable"),
          ConstantDescs.CD_long,
          ClassDesc.of(TimeUnit.class.getName()));
  private static final MethodTypeDesc ASK_TYPE = TYPE.insertParameterTypes(0, EXECUTOR);

  /** How Heddle schedules wake-ups. */
  public interface Timers {
    /**
     * Runs {@code command}, which is short and never parks, after {@code delay} on any platform
     * thread. This method never throws.
     *
     * @param executor the executor of the virtual thread that waits
     * @return a future that cancels the command; null if the JDK must schedule it
     */
    @Nullable Future<?> schedule(Executor executor, Runnable command, long delay, TimeUnit unit);
  }

  private TimedParkPatch() {}

  /**
   * Applies the patch.
   *
   * @throws ReflectiveOperationException if this is a JDK with other internals; then all classes
   *     are as before
   */
  public static void open(Instrumentation instrumentation, Timers timers)
      throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = JdkLookup.inJavaLang();
    Class<?> type = lookup.findClass("java.lang.VirtualThread");
    MethodHandle ask =
        MethodHandles.lookup()
            .findVirtual(
                Timers.class,
                NAME,
                MethodType.methodType(
                    Future.class, Executor.class, Runnable.class, long.class, TimeUnit.class))
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
            "java.lang.VirtualThread." + NAME + TYPE.descriptorString(),
            TimedParkPatch::isTarget,
            TimedParkPatch::ask);
    ClassPatcher.apply(instrumentation, HOLDER, Map.of(type, change));
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
        && (method.flags().flagsMask() & ClassFile.ACC_STATIC) == 0;
  }

  private static void ask(CodeBuilder code) {
    code.getstatic(HOLDER, NAME, HANDLE)
        .aload(0)
        .getfield(THREAD, "scheduler", EXECUTOR)
        .aload(1)
        .lload(2)
        .aload(4)
        .invokevirtual(HANDLE, "invokeExact", ASK_TYPE)
        .dup()
        .ifThen(Opcode.IFNONNULL, CodeBuilder::areturn)
        .pop();
  }
}
