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

/** Writes one method with a check before each step that others could see, or see the effect of. */
final class StepRewriter implements CodeTransform {
  /*
   * A check before: a call, but of a constructor; an access to a field, but to a final one of this class; to an element of an
   * array; the entry or exit of a monitor. It changes neither the stack nor a local variable, and nothing can jump between it and
   * what it stands before without passing it. So the frames that are there hold still, and are written as they were.
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
