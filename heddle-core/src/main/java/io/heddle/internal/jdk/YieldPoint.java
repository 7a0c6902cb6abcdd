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

/** What woven code calls: a class that every class loader and module sees, since it is one of {@code java.lang}. */
public final class YieldPoint {
  /*
   * public final class HeddleYield {
   *   static volatile int asked;                                  how many schedulers wait for somebody to yield
   *   static Runnable slow;
   *   @ForceInline public static void check() { if (asked != 0) yieldNow(); }
   *   @DontInline private static void yieldNow() { slow.run(); }
   * }
   *
   * asked must not be plain: the compiler would read it once before a loop that calls nothing, and never again. Volatile
   * costs nothing more than opaque on x86, and both keep the compiler from moving other reads across, which is why a woven
   * loop looks at it once per strip of iterations.
   *
   * Its methods are @Hidden, too: the stack may overflow in one, and then the trace is that of the woven method.
   *
   * Ordering: slow is written before the first raise (volatile), which pairs with the read of asked.
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

  /** Whether there is woven code in this JVM. */
  public static boolean isOpen() {
    return asked != null;
  }

  /**
   * Makes the class. From now on woven code runs {@code slow}, on whichever thread, while anybody has raised it.
   *
   * @throws ReflectiveOperationException if this is not the JDK we know
   */
  public static void open(Runnable slow) throws ReflectiveOperationException {
    MethodHandles.Lookup lookup =
        MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
    Class<?> holder = lookup.defineClass(holder());
    lookup.findStaticVarHandle(holder, SLOW, Runnable.class).setVolatile(slow);
    asked = lookup.findStaticVarHandle(holder, ASKED, int.class);
  }

  /** One more who waits for somebody to yield; false if nothing is woven. */
  public static boolean raise() {
    return add(1);
  }

  /** Behind a {@link #raise} that was true. */
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
