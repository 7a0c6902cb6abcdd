package io.heddle.internal.jdk;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Patches the places where the JDK reads a clock to measure a wait, so that tests can replace the
 * time.
 */
public final class ClockPatch {
  /*
   * The patch defines this class in java.lang:
   *
   * public final class HeddleClock {
   *   static LongSupplier nanos, millis; static Supplier instants;
   *   public static long nanoTime() { return nanos.getAsLong(); }
   *   public static long currentTimeMillis() { return millis.getAsLong(); }
   *   public static Object instant() { return instants.get(); }           null for the JDK's time
   * }
   * In the classes below each call of System.nanoTime and System.currentTimeMillis becomes a call
   * of HeddleClock. All of java.time reads the time through Clock.currentInstant. The patch inserts
   * at its head:
   *   Object i = HeddleClock.instant(); if (i != null) return (Instant) i;
   * The methods of System cannot be patched, because they are native. In woven classes of the
   * program, timed() therefore replaces the calls as well.
   */
  private static final ClassDesc HOLDER = ClassDesc.of("java.lang.HeddleClock");
  private static final ClassDesc LONGS = ClassDesc.of(LongSupplier.class.getName());
  private static final ClassDesc OBJECTS = ClassDesc.of(Supplier.class.getName());
  private static final ClassDesc INSTANT = ClassDesc.of("java.time.Instant");
  private static final MethodTypeDesc TO_LONG = MethodTypeDesc.of(ConstantDescs.CD_long);
  private static final MethodTypeDesc TO_OBJECT = MethodTypeDesc.of(ConstantDescs.CD_Object);
  private static final String NANOS = "nanoTime";
  private static final String MILLIS = "currentTimeMillis";
  private static final String INSTANTS = "instant";

  private static final String THREAD = "java.lang.VirtualThread";

  /**
   * The classes in which a thread waits with a time limit and reads the clock to find how much of
   * the limit is left.
   */
  private static final List<String> CLASSES =
      List.of(
          "java.lang.Thread",
          "java.util.concurrent.AbstractExecutorService",
          "java.util.concurrent.CompletableFuture",
          "java.util.concurrent.CompletableFuture$Signaller",
          "java.util.concurrent.Exchanger",
          "java.util.concurrent.ForkJoinTask",
          "java.util.concurrent.FutureTask",
          "java.util.concurrent.LinkedTransferQueue$DualNode",
          "java.util.concurrent.Phaser",
          "java.util.concurrent.Phaser$QNode",
          "java.util.concurrent.ScheduledThreadPoolExecutor",
          "java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask",
          "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue",
          "java.util.concurrent.ThreadPerTaskExecutor",
          "java.util.concurrent.locks.AbstractQueuedLongSynchronizer",
          "java.util.concurrent.locks.AbstractQueuedLongSynchronizer$ConditionObject",
          "java.util.concurrent.locks.AbstractQueuedSynchronizer",
          "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject",
          "java.util.concurrent.locks.StampedLock");

  private static volatile boolean opened;

  private ClockPatch() {}

  /**
   * Applies the patch. The suppliers are then called on any thread.
   *
   * @param instants supplies an {@code Instant}, or null for the JDK's time
   * @throws ReflectiveOperationException if this is a JDK with other internals. An agent has then
   *     left all classes of the JDK as before.
   */
  public static void open(
      ClassChanges classes,
      LongSupplier nanos,
      LongSupplier millis,
      Supplier<@Nullable Object> instants)
      throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = JdkLookup.inJavaLang();
    Class<?> holder = lookup.defineClass(holder());
    lookup.findStaticVarHandle(holder, NANOS, LongSupplier.class).setVolatile(nanos);
    lookup.findStaticVarHandle(holder, MILLIS, LongSupplier.class).setVolatile(millis);
    lookup.findStaticVarHandle(holder, INSTANTS, Supplier.class).setVolatile(instants);
    Map<String, ClassChange> changes = new HashMap<>();
    ClassChange calls = change(ClassTransform.transformingMethodBodies(ClockPatch::timed));
    for (String name : CLASSES) {
      changes.put(name, calls);
    }
    changes.put(THREAD, calls);
    changes.put(
        "java.time.Clock",
        change(
            HeadInsertion.of(
                "java.time.Clock.currentInstant",
                ClockPatch::isCurrentInstant,
                ClockPatch::replaceInstant)));
    classes.apply(lookup, "java/lang/HeddleClock", changes);
    opened = true;
  }

  private static ClassChange change(ClassTransform transform) {
    ClassFile file = ClassFile.of();
    return bytes -> file.transformClass(file.parse(bytes), transform);
  }

  /**
   * Writes {@code element} to {@code code}. A call that reads the time from {@code System} is
   * replaced by a call of {@code HeddleClock}.
   */
  public static void timed(CodeBuilder code, CodeElement element) {
    if (element instanceof InvokeInstruction call
        && call.opcode() == Opcode.INVOKESTATIC
        && call.owner().asInternalName().equals("java/lang/System")
        && (call.name().equalsString(NANOS) || call.name().equalsString(MILLIS))) {
      code.invokestatic(HOLDER, call.name().stringValue(), TO_LONG);
    } else {
      code.with(element);
    }
  }

  /** Whether the patch has been applied. */
  public static boolean isOpen() {
    return opened;
  }

  private static boolean isCurrentInstant(MethodModel method) {
    return method.methodName().equalsString("currentInstant");
  }

  private static byte[] holder() {
    return ClassFile.of()
        .build(
            HOLDER,
            clazz -> {
              clazz.withFlags(Modifier.PUBLIC | Modifier.FINAL | ClassFile.ACC_SUPER);
              clazz.withField(NANOS, LONGS, Modifier.STATIC);
              clazz.withField(MILLIS, LONGS, Modifier.STATIC);
              clazz.withField(INSTANTS, OBJECTS, Modifier.STATIC);
              int flags = Modifier.PUBLIC | Modifier.STATIC;
              for (String name : List.of(NANOS, MILLIS)) {
                clazz.withMethodBody(
                    name,
                    TO_LONG,
                    flags,
                    code ->
                        code.getstatic(HOLDER, name, LONGS)
                            .invokeinterface(LONGS, "getAsLong", TO_LONG)
                            .lreturn());
              }
              clazz.withMethodBody(
                  INSTANTS,
                  TO_OBJECT,
                  flags,
                  code ->
                      code.getstatic(HOLDER, INSTANTS, OBJECTS)
                          .invokeinterface(OBJECTS, "get", TO_OBJECT)
                          .areturn());
            });
  }

  private static void replaceInstant(CodeBuilder code) {
    code.invokestatic(HOLDER, INSTANTS, TO_OBJECT)
        .dup()
        .ifThen(Opcode.IFNONNULL, found -> found.checkcast(INSTANT).areturn())
        .pop();
  }
}
