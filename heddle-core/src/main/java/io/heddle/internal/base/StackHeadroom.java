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
 * Makes a stack overflow happen now, or not for a while.
 *
 * <p>A goroutine may call into the scheduler at the very end of its stack. An overflow in the middle of a queue operation
 * would leave a lock held, or a P in nobody's hands; so whoever is about to begin one asks for room first.
 */
public final class StackHeadroom {
  /*
   * The probe is a method with a frame of some 8 KB, more than anything the scheduler calls needs: entering it touches
   * the stack that far, in the interpreter and compiled alike, since compiled code that may have to go on in the
   * interpreter reserves what that needs. No source has that many variables, so it is made with the class-file API.
   *
   * It must have a branch that is never taken, which is what may have to go on in the interpreter; more than 325 bytes of
   * code, which the compilers never inline, for an inlined method reserves nothing; and less than 8000, beyond which they
   * do not compile at all.
   *
   * Rejected: the JDK's @ReservedStackAccess, which is honoured for its own classes only.
   *
   * Checked by: StackOverflowTest.
   */
  private static final int LONGS = 500;
  private static final int STORES = 100;
  private static final MethodHandle PROBE = makeProbe();

  private StackHeadroom() {}

  /** Throws {@link StackOverflowError} unless there are some 8 KB of stack left. */
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

  /** {@code static long probe(long a)}: if it is not 0, which it always is, copies it from local to local, far apart. */
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
