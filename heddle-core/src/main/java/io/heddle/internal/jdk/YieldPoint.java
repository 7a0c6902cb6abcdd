package io.heddle.internal.jdk;

import java.lang.classfile.Annotation;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Modifier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Defines and controls {@code java.lang.HeddleYield}, which woven code calls to ask whether it must
 * yield. Every class loader and module sees that class, because it is in java.lang.
 */
public final class YieldPoint {
  /*
   * HeddleYield as Java source:
   *
   * public final class HeddleYield {
   *   static volatile int asked;             number of calls of raise not yet lowered
   *   static Runnable slow;
   *   @ForceInline public static void check() { if (asked != 0) yieldNow(); }
   *   @DontInline private static void yieldNow() { slow.run(); }
   * }
   *
   * The field asked must not be plain, because the compilers would then read it once before a loop
   * without calls, and never again. An opaque read would be enough for that, but on x86 a volatile
   * read costs no more. With either kind, the compilers do not move other reads across the check,
   * and so cannot optimize a loop that checks in each iteration. Therefore a woven loop checks only
   * once per strip, a fixed number of iterations.
   *
   * Both methods of HeddleYield are also annotated @Hidden, which removes them from stack traces.
   * So if the stack overflows in one of them, the trace begins with the woven method.
   *
   * Ordering: slow is written (volatile) before the first raise. The volatile write of asked by
   * raise pairs with the volatile read of asked in check.
   */
  public static final ClassDesc HOLDER = ClassDesc.of("java.lang.HeddleYield");
  public static final String CHECK = "check";
  public static final MethodTypeDesc CHECK_TYPE = MethodTypeDesc.of(ConstantDescs.CD_void);
  private static final ClassDesc RUNNABLE = ClassDesc.of(Runnable.class.getName());
  private static final String ASKED = "asked";
  private static final String SLOW = "slow";
  private static final String YIELD_NOW = "yieldNow";
  private static final String ANNOTATIONS = "jdk.internal.vm.annotation";

  private static volatile @Nullable VarHandle asked;

  private YieldPoint() {}

  /** Whether {@code HeddleYield} is defined, so that there may be woven code in this JVM. */
  public static boolean isOpen() {
    return asked != null;
  }

  /**
   * Defines {@code HeddleYield} at the first call; later calls do nothing.
   *
   * @param slow what woven code runs, on any thread, while at least one call of {@link #raise} has
   *     not been undone by {@link #lower}
   * @throws ReflectiveOperationException if this is a JDK with other internals
   */
  public static synchronized void open(Runnable slow) throws ReflectiveOperationException {
    if (isOpen()) {
      return;
    }
    MethodHandles.Lookup lookup = JdkLookup.inJavaLang();
    Class<?> holder = lookup.defineClass(holder());
    lookup.findStaticVarHandle(holder, SLOW, Runnable.class).setVolatile(slow);
    asked = lookup.findStaticVarHandle(holder, ASKED, int.class);
  }

  /**
   * Asks all woven code to call the slow path, until {@link #lower}. Returns false, with no effect,
   * if {@link #open} was not called; then there is no woven code.
   */
  public static boolean raise() {
    return add(1);
  }

  /** Ends the effect of one {@link #raise} that returned true. */
  public static void lower() {
    boolean _ = add(-1);
  }

  private static boolean add(int n) {
    VarHandle handle = asked;
    if (handle == null) {
      return false;
    }
    int _ = (int) handle.getAndAdd(n);
    return true;
  }

  private static byte[] holder() {
    return ClassFile.of()
        .build(
            HOLDER,
            clazz -> {
              clazz.withFlags(Modifier.PUBLIC | Modifier.FINAL | ClassFile.ACC_SUPER);
              clazz.withField(ASKED, ConstantDescs.CD_int, Modifier.STATIC | Modifier.VOLATILE);
              clazz.withField(SLOW, RUNNABLE, Modifier.STATIC);
              method(clazz, CHECK, "ForceInline", YieldPoint::check);
              method(clazz, YIELD_NOW, "DontInline", YieldPoint::runSlow);
            });
  }

  private static void check(CodeBuilder code) {
    code.getstatic(HOLDER, ASKED, ConstantDescs.CD_int)
        .ifThen(Opcode.IFNE, rarely -> rarely.invokestatic(HOLDER, YIELD_NOW, CHECK_TYPE))
        .return_();
  }

  private static void runSlow(CodeBuilder code) {
    code.getstatic(HOLDER, SLOW, RUNNABLE)
        .invokeinterface(RUNNABLE, "run", MethodTypeDesc.of(ConstantDescs.CD_void))
        .return_();
  }

  private static void method(
      ClassBuilder clazz, String name, String annotation, Consumer<CodeBuilder> body) {
    clazz.withMethod(
        name,
        CHECK_TYPE,
        Modifier.PUBLIC | Modifier.STATIC,
        method ->
            method
                .with(
                    RuntimeVisibleAnnotationsAttribute.of(
                        Annotation.of(ClassDesc.of(ANNOTATIONS, annotation)),
                        Annotation.of(ClassDesc.of(ANNOTATIONS, "Hidden"))))
                .withCode(body));
  }
}
