package io.heddle.agent;

import io.heddle.internal.jdk.ClockPatch;
import io.heddle.internal.jdk.YieldPoint;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.FieldModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.StackMapTableAttribute;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.reflect.AccessFlag;

/**
 * Rewrites one method for tests in a {@code Bubble}, in which a seed decides the order of the
 * goroutines. Inserts a scheduling point before each step whose effect other threads could see. At
 * a scheduling point another goroutine may continue. If {@link ClockPatch} is open, also replaces
 * the calls that read the time, so that they return the bubble's time.
 */
final class StepRewriter implements CodeTransform {
  /*
   * A check, the call that is a scheduling point, is inserted before:
   *   a call, except of a constructor;
   *   an access to a field, except to a final field of this class, which never changes;
   *   an access to an element of an array;
   *   the entry or exit of a monitor.
   * A check changes neither the stack nor a local variable, and no jump leads between a check and
   * its instruction. So the original stack map frames (the types that the JVM's verifier reads)
   * remain valid and are copied.
   */
  private final ClassModel type;
  private final CodeAttribute code;

  StepRewriter(ClassModel type, CodeAttribute code) {
    this.type = type;
    this.code = code;
  }

  @Override
  public void accept(CodeBuilder out, CodeElement element) {
    if (isStep(element)) {
      out.invokestatic(YieldPoint.HOLDER, YieldPoint.CHECK, YieldPoint.CHECK_TYPE);
    }
    if (ClockPatch.isOpen()) {
      ClockPatch.timed(out, element);
    } else {
      out.with(element);
    }
  }

  @Override
  public void atEnd(CodeBuilder out) {
    code.findAttribute(Attributes.stackMapTable())
        .ifPresent(table -> out.with(StackMapTableAttribute.of(table.entries())));
  }

  private boolean isStep(CodeElement element) {
    return switch (element) {
      case InvokeInstruction call -> !call.name().equalsString("<init>");
      case FieldInstruction access -> !isFinal(access);
      case ArrayLoadInstruction _, ArrayStoreInstruction _, MonitorInstruction _ -> true;
      default -> false;
    };
  }

  private boolean isFinal(FieldInstruction access) {
    return access.owner().equals(type.thisClass())
        && type.fields().stream().anyMatch(field -> isFinal(field, access));
  }

  private static boolean isFinal(FieldModel field, FieldInstruction access) {
    return field.flags().has(AccessFlag.FINAL)
        && field.fieldName().equalsString(access.name().stringValue());
  }
}
