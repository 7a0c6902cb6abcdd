package io.heddle.internal.base;

import java.lang.classfile.ClassFile;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Checks that enough stack is left for a scheduler operation, and throws {@link StackOverflowError}
 * before the operation starts if it is not.
 *
 * <p>A goroutine may call into the scheduler at the very end of its stack. A stack overflow in the
 * middle of a queue operation would leave a lock held, or a P without an owner. Therefore every
 * such operation calls {@link #ensure} before it changes anything.
 */
public final class StackHeadroom {
  /*
   * The probe is a generated method with a frame of about 8 KB, more than any call of the scheduler
   * needs. A call of it fails if the stack has no room for that frame. This holds in the
   * interpreter and in compiled code, because code that may be deoptimized checks for the
   * interpreter's frame. The class-file API generates the probe, because a method with that many
   * local variables is impractical as source.
   *
   * The probe must have:
   * - A branch that is never taken. It makes the compiled code one that may be deoptimized.
   * - More than 325 bytes of code. The compilers never inline such a method, and an inlined method
   *   would reserve no stack.
   * - Less than 8000 bytes of code. The compilers do not compile larger methods.
   *
   * Rejected: the JDK's @ReservedStackAccess, which the JVM honours only in the JDK's own classes.
   *
   * Checked by: StackOverflowTest.
   */
  private static final int LONGS = 500;
  private static final int STORES = 100;
  private static final MethodHandle PROBE = makeProbe();

  private StackHeadroom() {}

  /** Throws {@link StackOverflowError} unless about 8 KB of stack are left. */
  public static void ensure() {
    try {
      long _ = (long) PROBE.invokeExact(0L);
    } catch (Error e) {
      throw e;
    } catch (Throwable t) {
      throw new IllegalStateException(t);
    }
  }

  private static MethodHandle makeProbe() {
    try {
      MethodHandles.Lookup hidden = MethodHandles.lookup().defineHiddenClass(bytes(), true);
      return hidden.findStatic(
          hidden.lookupClass(), "probe", MethodType.methodType(long.class, long.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Generates {@code static long probe(long a)}: returns 0 for 0. The branch for any other
   * argument, which no caller passes, copies it through local variables that are spread over the
   * frame.
   */
  private static byte[] bytes() {
    String name = StackHeadroom.class.getPackageName() + ".Probe";
    MethodTypeDesc type = MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_long);
    return ClassFile.of()
        .build(
            ClassDesc.of(name),
            clazz ->
                clazz.withMethodBody(
                    "probe",
                    type,
                    ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                    code -> {
                      int last = 0;
                      code.lload(0).lconst_0().lcmp();
                      code.ifThen(Opcode.IFEQ, zero -> zero.lconst_0().lreturn());
                      for (int i = 1; i <= STORES; i++) {
                        code.lload(last);
                        last = 2 * i * (LONGS / STORES);
                        code.lstore(last);
                      }
                      code.lload(last).lreturn();
                    }));
  }
}
