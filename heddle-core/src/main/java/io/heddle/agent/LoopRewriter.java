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

/**
 * Rewrites one method with the checks that its {@link LoopPlan} has decided on. A check is a call
 * that lets the goroutine yield if its time slice is over.
 *
 * <p>In this class <i>bci</i> is the index of an instruction in the bytes of the original code.
 */
final class LoopRewriter implements CodeTransform {
  /*
   * The entry of the method gets: invokestatic check. A loop becomes two nested loops: an iteration
   * of the outer one is a strip of iterations of the inner one. The inner loop counts down k, a new
   * local variable that all loops of the method share:
   *     head:  invokestatic check; sipush length of a strip; istore k     the outer loop
   *     body:  the original code of the head                              the inner loop
   *     …
   *     instead of goto head:     iinc k, -1; iload k; ifge body; goto head
   *     instead of if… head:      if… trampoline
   *     trampoline, after the end of the method: the four instructions above
   * The inner loop contains nothing that hinders the JIT compiler, which unrolls and vectorizes it
   * as before. Other jumps to the head, from a switch or from before the loop, stay unchanged and
   * run the check each time.
   *
   * Rejected: a check in each iteration. It prevents vectorization and keeping values in registers.
   * Rejected: a counter that is tested and reset within one loop. It has the same effects. For
   * figures see docs/guide/weaving.md.
   *
   * Stack map frames tell the JVM's verifier the types of the stack and of the variables at each
   * jump target. They are not computed, because that would load other classes. A check changes
   * neither the stack nor a local variable of the original method. So the original frames remain
   * valid, with k added as an int. Body and trampoline have the frame of the head. k is set at the
   * start of the method, because it must be an int at each jump target.
   *
   * Debug information moves with its labels. A check belongs to the line of the next instruction.
   */

  /** The labels of a rewritten loop: the head of the outer and the body of the inner loop. */
  private record Strip(Label head, Label body) {}

  private final ClassDesc holder;
  private final CodeAttribute code;
  private final LoopPlan plan;

  /** The frames of the original code, by bci. */
  private final Map<Integer, StackMapFrameInfo> frames = new HashMap<>();

  /** The labels of the loops whose head has been written, by the bci of the head. */
  private final Map<Integer, Strip> strips = new HashMap<>();

  /** The trampolines that are needed, by the bci of the loop head to which each jumps. */
  private final Map<Integer, Label> trampolines = new HashMap<>();

  /** The frames of the new labels. {@link #atEnd} adds the original frames. */
  private final List<StackMapFrameInfo> added = new ArrayList<>();

  /** The slot of the local variable that holds how many iterations of the strip are left. */
  private final int k;

  /** The bci of the original instruction that comes next. */
  private int bci;

  /** The label of the next instruction if that is the head of a loop; null otherwise. */
  private @Nullable Label head;

  /** Creates a rewriter for one method; {@code holder} is the class that has the check method. */
  LoopRewriter(ClassDesc holder, CodeAttribute code, LoopPlan plan) {
    this.holder = holder;
    this.code = code;
    this.plan = plan;
    this.k = code.maxLocals();
    code.findAttribute(Attributes.stackMapTable())
        .ifPresent(table -> table.entries().forEach(f -> frames.put(plan.bciOf(f.target()), f)));
  }

  /**
   * Writes the entry check before all labels, because a try block or a loop may begin with the
   * first instruction and must not contain that check.
   */
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

  /** Whether {@code start} is the first instruction, where the scope of parameters starts. */
  private boolean isFirst(Label start) {
    return plan.bciOf(start) == 0;
  }

  /** Writes a check. */
  private void check(CodeBuilder out) {
    out.invokestatic(holder, YieldPoint.CHECK, YieldPoint.CHECK_TYPE);
  }

  /** Writes the line number of the first instruction, so that the entry check has that line. */
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

  /** Writes the start of the outer loop, if the next instruction is the head of a loop. */
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

  /**
   * Writes {@code instruction}. A backward goto becomes the end of an iteration; any other backward
   * jump leads to a trampoline with the end of an iteration.
   */
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

  /**
   * Writes the end of an iteration of the loop with the head {@code target}. Throws if no loop has
   * that head; the class then stays unchanged.
   */
  private void goRound(CodeBuilder out, int target) {
    Strip strip = strips.get(target);
    if (strip == null) {
      throw new IllegalArgumentException("a backward jump to " + target + ", not a loop head");
    }
    out.iinc(k, -1).iload(k).ifge(strip.body).goto_(strip.head);
  }

  /**
   * Adds a frame at {@code label}, equal to the frame at {@code original}. Adds none if the class
   * file has no frames. Throws if only this frame is missing; the class then stays unchanged.
   */
  private void addFrameOf(int original, Label label) {
    StackMapFrameInfo frame = frames.get(original);
    if (frame != null) {
      added.add(StackMapFrameInfo.of(label, frame.locals(), frame.stack()));
    } else if (!frames.isEmpty()) {
      throw new IllegalArgumentException("no stack map frame at the jump target " + original);
    }
  }

  /** Returns {@code frame} as it is in the woven code: with the variable k. */
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

  /**
   * Returns {@code type} as it is in the woven code. The type of an object whose constructor has
   * not run refers to the {@code new} instruction that made the object. If that instruction is the
   * head of a loop, it comes after the check now, at the label of the body.
   */
  private VerificationTypeInfo moved(VerificationTypeInfo type) {
    if (type instanceof UninitializedVerificationTypeInfo made) {
      Strip strip = strips.get(plan.bciOf(made.newTarget()));
      return strip == null ? type : UninitializedVerificationTypeInfo.of(strip.body);
    }
    return type;
  }

  /** Returns the number of variable slots that {@code locals} take; long and double take two. */
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
