package child;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/**
 * An agent that changes a method of {@code VirtualThread}, which its option names, as agents do
 * that carry a trace from thread to thread.
 */
public final class MountWeaver {
  private MountWeaver() {}

  public static void premain(String method, Instrumentation instrumentation) throws Exception {
    instrumentation.addTransformer(
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader,
              String name,
              Class<?> type,
              ProtectionDomain domain,
              byte[] bytes) {
            return "java/lang/VirtualThread".equals(name) ? weave(method, bytes) : null;
          }
        },
        true);
    instrumentation.retransformClasses(Class.forName("java.lang.VirtualThread", false, null));
  }

  /** Inserts an instruction that does nothing at the head of {@code method}. */
  public static byte[] weave(String method, byte[] bytes) {
    ClassFile file = ClassFile.of();
    return file.transformClass(
        file.parse(bytes),
        ClassTransform.transformingMethodBodies(
            candidate -> candidate.methodName().equalsString(method), new NopInsertion()));
  }

  private static final class NopInsertion implements CodeTransform {
    @Override
    public void atStart(CodeBuilder code) {
      code.nop();
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      code.with(element);
    }
  }
}
