package io.heddle.agent;

import io.heddle.internal.jdk.YieldPoint;
import java.lang.classfile.Attributes;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.SimpleVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.UninitializedVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.VerificationTypeInfo;
import java.lang.classfile.attribute.StackMapTableAttribute;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.LocalVariableType;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes one method with the checks that its {@link LoopPlan} asks for. */
final class LoopRewriter implements CodeTransform {
  /*
   * At the entry: invokestatic check. A loop becomes two, with k a new local variable, which the whole method shares:
   *     head:  invokestatic check; sipush length of a strip; istore k     the outer loop
   *     body:  what was at the head                                       the inner loop
   *     …
   *     instead of goto head:     iinc k, -1; iload k; ifge body; goto head
   *     instead of if… head:      if… trampoline, with the same four behind the end of the method
   * There is nothing in the inner loop that the compiler minds: it unrolls and vectorises it as before. Jumps to the head
   * from elsewhere, of a switch and into the loop, stay: they are checked each time.
   *
   * Rejected: a check each time round keeps the compiler from vectorising, or from keeping what it has read; so does a
   * counter that is tested and set again within one loop. Figures in docs/guide/weaving.md.
   *
   * Frames: none is computed, and so no class but this one is looked at. A check changes neither the stack nor a local
   * variable of the method's own. So the frames that are there hold still, with k for an int; body and trampoline have
   * that of the head. k is set at the very beginning, before anything can jump.
   *
   * Debug information moves along with its labels; a check belongs to the line of what it stands before.
   */
  private record Strip(Label head, Label body) {}

  private final ClassDesc holder;
  private final CodeAttribute code;
  private final LoopPlan plan;
  private final Map<Integer, StackMapFrameInfo> frames = new HashMap<>();
  private final Map<Integer, Strip> strips = new HashMap<>();
  private final Map<Integer, Label> trampolines = new HashMap<>();
  private final List<StackMapFrameInfo> added = new ArrayList<>();
  private final int k;
  private int bci;
  private @Nullable Label head;

  /** {@code holder} is the class whose check is called. */
  LoopRewriter(ClassDesc holder, CodeAttribute code, LoopPlan plan) {
    this.holder = holder;
    this.code = code;
    this.plan = plan;
    this.k = code.maxLocals();
    code.findAttribute(Attributes.stackMapTable())
        .ifPresent(table -> table.entries().forEach(f -> frames.put(plan.bciOf(f.target()), f)));
  }

  /** Before everything: what is guarded, or jumped to, may begin with the first instruction. */
  @Override
  public void atStart(CodeBuilder out) {
    firstLine(out);
    if (plan.checksEntry()) {
      check(out);
    }
    if (plan.hasLoops()) {
      out.iconst_0().istore(k);
    }
  }

  @Override
  public void accept(CodeBuilder out, CodeElement element) {
    switch (element) {
      case Instruction instruction -> {
        startLoop(out);
        write(out, instruction);
        bci += instruction.sizeInBytes();
      }
      case LabelTarget target -> {
        out.with(target);
        head = plan.isHead(bci) ? target.label() : null;
      }
      case LocalVariable v when isFirst(v.startScope()) ->
          out.localVariable(v.slot(), v.name(), v.type(), out.startLabel(), v.endScope());
      case LocalVariableType v when isFirst(v.startScope()) ->
          out.localVariableType(v.slot(), v.name(), v.signature(), out.startLabel(), v.endScope());
      default -> out.with(element);
    }
  }

  @Override
  public void atEnd(CodeBuilder out) {
    trampolines.forEach((at, label) -> writeTrampoline(out, at, label));
    if (!frames.isEmpty()) {
      frames.values().forEach(f -> added.add(f));
      out.with(StackMapTableAttribute.of(added.stream().map(this::written).toList()));
    }
  }

  /** A parameter is there from the beginning. */
  private boolean isFirst(Label start) {
    return plan.bciOf(start) == 0;
  }

  private void check(CodeBuilder out) {
    out.invokestatic(holder, YieldPoint.CHECK, YieldPoint.CHECK_TYPE);
  }

  private void firstLine(CodeBuilder out) {
    for (CodeElement element : code) {
      if (element instanceof LineNumber line) {
        out.lineNumber(line.line());
        return;
      }
      if (element instanceof Instruction) {
        return;
      }
    }
  }

  private void startLoop(CodeBuilder out) {
    Label here = head;
    if (here == null) {
      return;
    }
    head = null;
    check(out);
    out.loadConstant(plan.strip(bci)).istore(k);
    Label body = out.newBoundLabel();
    strips.put(bci, new Strip(here, body));
    addFrameOf(bci, body);
  }

  private void write(CodeBuilder out, Instruction instruction) {
    if (!(instruction instanceof BranchInstruction branch)) {
      out.with(instruction);
      return;
    }
    int target = plan.bciOf(branch.target());
    if (target > bci) {
      out.with(branch);
    } else if (branch.opcode() == Opcode.GOTO || branch.opcode() == Opcode.GOTO_W) {
      goRound(out, target);
    } else {
      out.branch(branch.opcode(), trampolines.computeIfAbsent(target, _ -> out.newLabel()));
    }
  }

  private void writeTrampoline(CodeBuilder out, int target, Label label) {
    out.labelBinding(label);
    addFrameOf(target, label);
    goRound(out, target);
  }

  private void goRound(CodeBuilder out, int target) {
    Strip strip = strips.get(target);
    if (strip == null) {
      throw new IllegalArgumentException("a jump back to " + target + ", where nothing begins");
    }
    out.iinc(k, -1).iload(k).ifge(strip.body).goto_(strip.head);
  }

  /** At {@code label} things are as they were at {@code original}. */
  private void addFrameOf(int original, Label label) {
    StackMapFrameInfo frame = frames.get(original);
    if (frame != null) {
      added.add(StackMapFrameInfo.of(label, frame.locals(), frame.stack()));
    } else if (!frames.isEmpty()) {
      throw new IllegalArgumentException("no frame at " + original + ", to which there is a jump");
    }
  }

  private StackMapFrameInfo written(StackMapFrameInfo frame) {
    List<VerificationTypeInfo> locals = new ArrayList<>(moved(frame.locals()));
    if (plan.hasLoops()) {
      for (int slots = slots(locals); slots < k; slots++) {
        locals.add(SimpleVerificationTypeInfo.TOP);
      }
      locals.add(SimpleVerificationTypeInfo.INTEGER);
    }
    return StackMapFrameInfo.of(frame.target(), locals, moved(frame.stack()));
  }

  private List<VerificationTypeInfo> moved(List<VerificationTypeInfo> types) {
    return types.stream().map(this::moved).toList();
  }

  /** An object that is not constructed yet is known by where it is made: that may be behind a check now. */
  private VerificationTypeInfo moved(VerificationTypeInfo type) {
    if (type instanceof UninitializedVerificationTypeInfo made) {
      Strip strip = strips.get(plan.bciOf(made.newTarget()));
      return strip == null ? type : UninitializedVerificationTypeInfo.of(strip.body);
    }
    return type;
  }

  private static int slots(List<VerificationTypeInfo> locals) {
    int slots = locals.size();
    for (VerificationTypeInfo type : locals) {
      if (type == SimpleVerificationTypeInfo.LONG || type == SimpleVerificationTypeInfo.DOUBLE) {
        slots++;
      }
    }
    return slots;
  }
}
