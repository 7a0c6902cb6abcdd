package io.heddle.faults;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes every class of Heddle that is loaded from now on call {@link Inject#site} before each
 * instruction that allocates.
 */
public final class InjectAgent implements ClassFileTransformer {
  /*
   * A site is an instruction that creates an object or an array, creates a lambda, concatenates
   * strings or boxes a value. A site is also a call into a part of the JDK that allocates:
   * collections, threads, arenas, and parking, which needs room for the stack of a virtual thread.
   * An error thrown before such a call is thrown before the call has had any effect.
   *
   * Left out are static initialisers, because their failure is final in any Java program; and the
   * agent, the dashboard and JMX, which are not on the scheduler's paths.
   */
  private static final ClassDesc INJECT = Inject.class.describeConstable().orElseThrow();
  private static final MethodTypeDesc SITE =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

  /**
   * Reads the hierarchy of classes from their files. The default loads the classes. It may thereby
   * load the class that is being transformed; its own load then ends with a LinkageError, because
   * the class exists already.
   */
  private static final ClassFile FILE =
      ClassFile.of(
          ClassFile.ClassHierarchyResolverOption.of(
              ClassHierarchyResolver.ofResourceParsing(ClassLoader.getSystemClassLoader())
                  .orElse(ClassHierarchyResolver.defaultResolver())
                  .cached(ConcurrentHashMap::new)));

  /** Classes with methods that neither allocate nor park. */
  private static final Set<String> FREE =
      Set.of(
          "java/lang/Object",
          "java/lang/Math",
          "java/lang/System",
          "java/lang/Enum",
          "java/lang/Class",
          "java/lang/Runnable",
          "java/util/Arrays",
          "java/util/concurrent/locks/Lock",
          "java/util/concurrent/locks/Condition",
          "java/util/Objects");

  private static final Set<String> FREE_METHODS =
      Set.of(
          "currentThread",
          "isVirtual",
          "threadId",
          "onSpinWait",
          "interrupted",
          "isInterrupted",
          "isAlive",
          "getState",
          "getName",
          "hasNext",
          "poll",
          "unlock",
          "next",
          "get",
          "getCount",
          "isInitialized",
          "size",
          "isEmpty",
          "<init>");

  /**
   * Also a site without an allocation, where a fault must be noticed: at the very end of a wakeup.
   */
  private static boolean twin;

  public static void premain(String options, Instrumentation instrumentation) {
    twin = "twin".equals(options);
    instrumentation.addTransformer(new InjectAgent());
  }

  @Override
  public byte[] transform(
      Module module,
      ClassLoader loader,
      String name,
      Class<?> type,
      ProtectionDomain domain,
      byte[] bytes) {
    if (name == null || !isHeddle(name)) {
      return null;
    }
    try {
      ClassModel parsed = FILE.parse(bytes);
      return FILE.transformClass(
          parsed,
          (builder, element) -> {
            if (element instanceof MethodModel method && isWanted(method)) {
              builder.transformMethod(
                  method,
                  (methodBuilder, part) -> {
                    if (part instanceof java.lang.classfile.CodeModel code) {
                      methodBuilder.transformCode(code, new Sites(name, method));
                    } else {
                      methodBuilder.with(part);
                    }
                  });
            } else {
              builder.with(element);
            }
          });
    } catch (Throwable t) {
      t.printStackTrace();
      System.exit(99);
      return null;
    }
  }

  private static boolean isHeddle(String name) {
    return name.startsWith("io/heddle/")
        && !name.startsWith("io/heddle/faults/")
        && !name.startsWith("io/heddle/agent/")
        && !name.startsWith("io/heddle/internal/dashboard/")
        && !name.contains("Management")
        && !name.contains("Bean");
  }

  private static boolean isWanted(MethodModel method) {
    return method.code().isPresent() && !method.methodName().equalsString("<clinit>");
  }

  /** The sites of one method. */
  private static final class Sites implements CodeTransform {
    private final String type;
    private final String method;
    private int line;
    private int ordinal;

    Sites(String type, MethodModel method) {
      this.type = type.substring("io/heddle/".length()).replace('/', '.');
      this.method = method.methodName().stringValue();
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
      if (element instanceof LineNumber number) {
        line = number.line();
      }
      String what = allocates(element);
      if (what != null) {
        // Several sites in one line or in methods of the same name differ by their ordinal or line.
        String site = type + "." + method + ":" + line + "#" + ordinal++ + " " + what;
        builder.loadConstant(Inject.register(site)).invokestatic(INJECT, "site", SITE);
      }
      builder.with(element);
    }

    private String allocates(CodeElement element) {
      return switch (element) {
        case NewObjectInstruction made -> "new " + simple(made.className().asInternalName());
        case NewReferenceArrayInstruction made ->
            "new[] " + simple(made.componentType().asInternalName());
        case NewPrimitiveArrayInstruction made -> "new[] " + made.typeKind();
        case NewMultiArrayInstruction _ -> "new[][]";
        case InvokeDynamicInstruction made -> "dynamic " + made.name().stringValue();
        case InvokeInstruction call -> called(call);
        default -> null;
      };
    }

    private String called(InvokeInstruction call) {
      String owner = call.owner().asInternalName();
      String name = call.name().stringValue();
      if (name.equals("valueOf") && owner.startsWith("java/lang/")) {
        return "box " + simple(owner);
      }
      if (twin && owner.equals("io/heddle/internal/wait/Parking") && name.equals("tryUnpark")) {
        return "twin tryUnpark";
      }
      boolean isOurs = !owner.startsWith("java/") && !owner.startsWith("jdk/");
      if (isOurs || FREE.contains(owner) || FREE_METHODS.contains(name) || isAtomic(owner)) {
        return null;
      }
      if (owner.startsWith("java/lang/invoke/") && !name.startsWith("invoke")) {
        return null; // VarHandle
      }
      if (owner.startsWith("java/lang/invoke/")
          && !call.type()
              .stringValue()
              .startsWith("(Ljava/util/concurrent/Executor;Ljava/lang/String;I")) {
        return null; // an accessor that only reads or writes a field
      }
      if (owner.equals("java/util/concurrent/locks/LockSupport") && name.startsWith("unpark")) {
        return null; // calls back into Heddle
      }
      if (name.startsWith("park") && type.equals("internal.note.Note")) {
        return null; // a platform thread's
      }
      if (owner.equals("java/util/Set") && name.equals("remove")
          || owner.equals("java/lang/foreign/MemorySegment") && name.startsWith("set")) {
        return null;
      }
      if (call.opcode() == Opcode.INVOKEINTERFACE && owner.startsWith("java/util/function/")) {
        return null; // Heddle's own again
      }
      return "call " + simple(owner) + "." + name;
    }

    private static boolean isAtomic(String owner) {
      return owner.startsWith("java/util/concurrent/atomic/")
          || owner.equals("java/lang/Integer")
          || owner.equals("java/lang/Long")
          || owner.equals("java/lang/AssertionError")
          || owner.equals("jdk/internal/vm/Continuation");
    }

    private static String simple(String name) {
      return name.substring(name.lastIndexOf('/') + 1);
    }
  }
}
