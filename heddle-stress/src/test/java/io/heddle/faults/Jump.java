package io.heddle.faults;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** An agent that lets Heddle read the time from this class, where it can jump. */
public final class Jump implements ClassFileTransformer {
  private static final ClassDesc HERE = Jump.class.describeConstable().orElseThrow();
  private static final AtomicLong AHEAD = new AtomicLong();

  public static void premain(String options, Instrumentation instrumentation) {
    instrumentation.addTransformer(new Jump());
  }

  /** Replaces {@link System#nanoTime} for Heddle. */
  public static long nanoTime() {
    return System.nanoTime() + AHEAD.get();
  }

  static void ahead(Duration by) {
    AHEAD.addAndGet(by.toNanos());
  }

  @Override
  public byte[] transform(
      Module module,
      ClassLoader loader,
      String name,
      Class<?> type,
      ProtectionDomain domain,
      byte[] bytes) {
    if (name == null || !name.startsWith("io/heddle/") || name.startsWith("io/heddle/faults/")) {
      return null;
    }
    ClassFile file = ClassFile.of();
    return file.transformClass(
        file.parse(bytes),
        ClassTransform.transformingMethodBodies(
            (code, element) -> {
              if (element instanceof InvokeInstruction call
                  && call.owner().asInternalName().equals("java/lang/System")
                  && call.name().equalsString("nanoTime")) {
                code.invokestatic(HERE, "nanoTime", call.typeSymbol());
              } else {
                code.with(element);
              }
            }));
  }
}
