package io.heddle.internal.jdk;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32;

/**
 * The code of the JDK that {@code java.lang.HeddleMount} replaces or shares fields with: the
 * methods below, and all methods of the same classes that they call. The code is written in a
 * normal form.
 *
 * <p>The normal form does not depend on the constant pool, on line numbers, or on methods that
 * mounting does not use. Two JDKs with the same normal form mount in the same way.
 */
final class MountedCode {
  /** Where the search for methods begins. A name that a JDK does not have is skipped. */
  private static final Set<String> FIRST =
      Set.of(
          "java/lang/VirtualThread.runContinuation()V",
          "java/lang/VirtualThread.park()V",
          "java/lang/VirtualThread.parkNanos(J)V",
          "java/lang/VirtualThread.tryYield()V",
          "java/lang/VirtualThread.unpark()V",
          "java/lang/VirtualThread.unblock()V",
          "java/lang/VirtualThread.interrupt()V",
          "java/lang/VirtualThread.getAndClearInterrupt()Z",
          "java/lang/VirtualThread.threadState()Ljava/lang/Thread$State;",
          "java/lang/VirtualThread.asyncGetStackTrace()[Ljava/lang/StackTraceElement;",
          "java/lang/VirtualThread$VThreadContinuation.<init>"
              + "(Ljava/lang/VirtualThread;Ljava/lang/Runnable;)V",
          "java/lang/VirtualThread$VThreadContinuation.onPinned"
              + "(Ljdk/internal/vm/Continuation$Pinned;)V",
          "java/lang/VirtualThread$VThreadContinuation.onContinue()V",
          "jdk/internal/vm/Continuation.run()V",
          "jdk/internal/vm/Continuation.enter(Ljdk/internal/vm/Continuation;Z)V",
          "jdk/internal/vm/Continuation.enterSpecial(Ljdk/internal/vm/Continuation;ZZ)V",
          "jdk/internal/vm/Continuation.doYield()I",
          "jdk/internal/vm/Continuation.isDone()Z");

  /**
   * The start of the name of the method that schedules wake-ups. The method is left out, because
   * mounting does not depend on it.
   */
  private static final String SCHEDULE = "java/lang/VirtualThread.schedule(";

  private final Map<String, MethodModel> methods = new HashMap<>();

  /** The normal form: the fields and methods, in alphabetical order. */
  private final Map<String, String> lines = new TreeMap<>();

  private MountedCode(List<byte[]> classFiles) {
    for (byte[] bytes : classFiles) {
      ClassModel model = ClassFile.of().parse(bytes);
      String type = model.thisClass().asInternalName();
      for (FieldModel field : model.fields()) {
        if ((field.flags().flagsMask() & ClassFile.ACC_STATIC) == 0) {
          lines.put(
              type + "." + field.fieldName().stringValue(),
              field.flags().flagsMask() + " " + field.fieldType().stringValue());
        }
      }
      for (MethodModel method : model.methods()) {
        methods.put(
            type + "." + method.methodName().stringValue() + method.methodType().stringValue(),
            method);
      }
    }
    addMethods();
  }

  /** Returns a checksum of the normal form of these class files. */
  static int fingerprint(List<byte[]> classFiles) {
    CRC32 crc = new CRC32();
    crc.update(normalForm(classFiles).getBytes(StandardCharsets.UTF_8));
    return (int) crc.getValue();
  }

  /**
   * Returns the text of which {@link #fingerprint} is the checksum. It lists the instance fields,
   * and the instructions of each method that the mount depends on. By comparing the texts of two
   * JDK builds, a maintainer finds what has changed.
   */
  static String normalForm(List<byte[]> classFiles) {
    StringBuilder text = new StringBuilder();
    new MountedCode(classFiles)
        .lines.forEach((name, line) -> text.append(name).append(": ").append(line).append('\n'));
    return text.toString();
  }

  private void addMethods() {
    Deque<String> next = new ArrayDeque<>(new TreeSet<>(FIRST));
    while (!next.isEmpty()) {
      String name = next.remove();
      MethodModel method = methods.get(name);
      if (method != null && !lines.containsKey(name) && !name.startsWith(SCHEDULE)) {
        lines.put(name, text(method, next));
      }
    }
  }

  /**
   * Returns the normal form of a method, and adds to {@code next} the methods that this method
   * calls.
   */
  private static String text(MethodModel method, Deque<String> next) {
    StringBuilder text = new StringBuilder().append(method.flags().flagsMask());
    method.code().ifPresent(code -> append(text, code, next));
    return text.toString();
  }

  private static void append(StringBuilder text, CodeModel code, Deque<String> next) {
    Map<Label, Integer> places = new HashMap<>();
    int place = 0;
    for (CodeElement element : code) {
      if (element instanceof LabelTarget target) {
        places.put(target.label(), place);
      } else if (element instanceof Instruction) {
        place++;
      }
    }
    for (CodeElement element : code) {
      if (element instanceof Instruction instruction) {
        text.append("\n  ").append(text(instruction, places, next));
      } else if (element instanceof ExceptionCatch c) {
        text.append("\n  catch ")
            .append(c.catchType().map(type -> type.asInternalName()).orElse("any"))
            .append(' ')
            .append(places.get(c.tryStart()))
            .append(' ')
            .append(places.get(c.tryEnd()))
            .append(' ')
            .append(places.get(c.handler()));
      }
    }
  }

  private static String text(
      Instruction instruction, Map<Label, Integer> places, Deque<String> next) {
    String opcode = instruction.opcode() + " ";
    return switch (instruction) {
      case LoadInstruction i -> "load " + i.typeKind() + " " + i.slot();
      case StoreInstruction i -> "store " + i.typeKind() + " " + i.slot();
      case ConstantInstruction i -> "constant " + i.typeKind() + " " + i.constantValue();
      case IncrementInstruction i -> "increment " + i.slot() + " " + i.constant();
      case FieldInstruction i ->
          opcode + i.owner().asInternalName() + "." + i.name() + " " + i.type().stringValue();
      case InvokeInstruction i -> {
        String callee =
            i.owner().asInternalName() + "." + i.name().stringValue() + i.type().stringValue();
        next.add(callee);
        yield opcode + callee;
      }
      case InvokeDynamicInstruction i -> {
        for (ConstantDesc argument : i.bootstrapArgs()) {
          if (argument instanceof DirectMethodHandleDesc handle) {
            String owner = handle.owner().descriptorString();
            next.add(
                owner.substring(1, owner.length() - 1)
                    + "."
                    + handle.methodName()
                    + handle.lookupDescriptor());
          }
        }
        yield opcode + i.name() + i.type().stringValue() + " " + i.bootstrapArgs();
      }
      case BranchInstruction i -> opcode + places.get(i.target());
      case LookupSwitchInstruction i -> text(i.cases(), i.defaultTarget(), places);
      case TableSwitchInstruction i -> text(i.cases(), i.defaultTarget(), places);
      case TypeCheckInstruction i -> opcode + i.type().asInternalName();
      case NewObjectInstruction i -> opcode + i.className().asInternalName();
      case NewReferenceArrayInstruction i -> opcode + i.componentType().asInternalName();
      case NewPrimitiveArrayInstruction i -> opcode + i.typeKind();
      case NewMultiArrayInstruction i -> opcode + i.arrayType().asInternalName();
      default -> opcode.strip();
    };
  }

  private static String text(List<SwitchCase> cases, Label other, Map<Label, Integer> places) {
    StringBuilder text = new StringBuilder("switch");
    for (SwitchCase one : cases) {
      text.append(' ').append(one.caseValue()).append("->").append(places.get(one.target()));
    }
    return text.append(" else ").append(places.get(other)).toString();
  }
}
