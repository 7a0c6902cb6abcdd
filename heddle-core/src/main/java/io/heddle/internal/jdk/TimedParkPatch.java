package io.heddle.internal.jdk;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
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

/** The place where a virtual thread that parks or waits for a limited time has itself woken, changed so that we are asked first. */
public final class TimedParkPatch {
  /*
   * Into VirtualThread.schedule(Runnable command, long delay, TimeUnit unit) goes, at its head,
   *   Future future = HeddleTime.schedule.invokeExact(this.scheduler, command, delay, unit);
   *   if (future != null) return future;
   * HeddleTime is made here, beside it. It has the handle from HeddleTimeHandles, which is written first, into a final
   * field, so that the compiler sees through it.
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

  private static volatile boolean opened;

  /** What we do about it. */
  public interface Timers {
    /**
     * Has {@code command}, which is short and never parks, run after a while, on any platform thread.
     *
     * @param executor that of the virtual thread it is for
     * @return what cancels it; null: the JDK is to do it. Never throws.
     */
    @Nullable Future<?> schedule(Executor executor, Runnable command, long delay, TimeUnit unit);
  }

  private TimedParkPatch() {}

  /**
   * From now on {@code timers} is asked.
   *
   * @throws ReflectiveOperationException if this is not the JDK we know; then all is as it was
   */
  public static void open(Instrumentation instrumentation, Timers timers)
      throws ReflectiveOperationException {
    MethodHandles.Lookup lookup =
        MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
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
    AtHead head = new AtHead();
    ClassTransform change = ClassTransform.transformingMethodBodies(TimedParkPatch::isTheOne, head);
    ClassPatcher.apply(instrumentation, Map.of(type, change));
    head.check(); // if it is not there, nothing was changed
    opened = true;
  }

  /** What was done to that method, null if nothing: for who changes more of its class, and begins with what the JDK has. */
  static @Nullable CodeTransform change(MethodModel method) {
    return opened && isTheOne(method) ? new AtHead() : null;
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

  private static boolean isTheOne(MethodModel method) {
    return method.methodName().equalsString(NAME)
        && method.methodTypeSymbol().equals(TYPE)
        && (method.flags().flagsMask() & ClassFile.ACC_STATIC) == 0;
  }

  private static final class AtHead implements CodeTransform {
    private boolean isWritten;

    void check() throws NoSuchMethodException {
      if (!isWritten) {
        throw new NoSuchMethodException(
            "java.lang.VirtualThread has no " + NAME + TYPE.descriptorString());
      }
    }

    @Override
    public void atStart(CodeBuilder code) {
      isWritten = true;
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

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      code.with(element);
    }
  }
}
