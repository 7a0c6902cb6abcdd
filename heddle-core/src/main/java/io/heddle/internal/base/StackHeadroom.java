package io.heddle.internal.base;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
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
   * interpreter's frame. The probe is generated, because a method with that many local variables is
   * impractical as source. The class-file API is not used, because it takes longer to load than
   * many programs run.
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

  // Instructions of the JVM.
  private static final int LCONST_0 = 0x09;
  private static final int LLOAD = 0x16;
  private static final int LSTORE = 0x37;
  private static final int LCMP = 0x94;
  private static final int IFNE = 0x9A;
  private static final int LRETURN = 0xAD;
  private static final int WIDE = 0xC4;

  /**
   * The size in bytes of the code for the argument 0. The code that no caller reaches comes after
   * it.
   */
  private static final int TEST = 11;

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
    } catch (ReflectiveOperationException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Generates {@code static long probe(long a)}: returns 0 for 0. The branch for any other
   * argument, which no caller passes, copies it through local variables that are spread over the
   * frame.
   */
  private static byte[] bytes() throws IOException {
    byte[] code = code();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(0xCAFEBABE);
    out.writeInt(52); // the version of Java 8
    out.writeShort(9); // the number of constants, plus 1
    writeName(out, StackHeadroom.class.getPackageName().replace('.', '/') + "/Probe"); // 1
    writeClass(out, 1); // 2
    writeName(out, "java/lang/Object"); // 3
    writeClass(out, 3); // 4
    writeName(out, "probe"); // 5
    writeName(out, "(J)J"); // 6
    writeName(out, "Code"); // 7
    writeName(out, "StackMapTable"); // 8
    out.writeShort(0x1030); // synthetic, final, ACC_SUPER
    out.writeShort(2);
    out.writeShort(4);
    out.writeShort(0); // interfaces
    out.writeShort(0); // fields
    out.writeShort(1); // methods
    out.writeShort(0x9); // public static
    out.writeShort(5);
    out.writeShort(6);
    out.writeShort(1); // attributes of the method
    out.writeShort(7);
    out.writeInt(12 + code.length + 9);
    out.writeShort(4); // the largest operand stack
    out.writeShort(2 * LONGS + 2); // local variables
    out.writeInt(code.length);
    out.write(code);
    out.writeShort(0); // exception handlers
    out.writeShort(1); // attributes of the code
    out.writeShort(8);
    out.writeInt(3);
    out.writeShort(1); // frames
    out.write(TEST); // at this instruction, a frame like that at the start of the method
    out.writeShort(0); // attributes of the class
    return bytes.toByteArray();
  }

  private static byte[] code() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    writeWide(out, LLOAD, 0);
    out.write(LCONST_0);
    out.write(LCMP);
    out.write(IFNE);
    out.writeShort(5); // to the instruction after LRETURN
    out.write(LCONST_0);
    out.write(LRETURN);
    assert out.size() == TEST;
    int last = 0;
    for (int i = 1; i <= STORES; i++) {
      writeWide(out, LLOAD, last);
      last = 2 * i * (LONGS / STORES);
      writeWide(out, LSTORE, last);
    }
    writeWide(out, LLOAD, last);
    out.write(LRETURN);
    return bytes.toByteArray();
  }

  /** Writes an instruction whose operand, the number of a local variable, has two bytes. */
  private static void writeWide(DataOutputStream out, int instruction, int variable)
      throws IOException {
    out.write(WIDE);
    out.write(instruction);
    out.writeShort(variable);
  }

  private static void writeName(DataOutputStream out, String name) throws IOException {
    out.write(1); // CONSTANT_Utf8
    out.writeUTF(name);
  }

  private static void writeClass(DataOutputStream out, int name) throws IOException {
    out.write(7); // CONSTANT_Class
    out.writeShort(name);
  }
}
