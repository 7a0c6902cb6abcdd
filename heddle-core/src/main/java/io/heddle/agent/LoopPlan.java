package io.heddle.agent;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.DiscontinuedInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds the loops of a method and decides where {@link LoopRewriter} inserts checks. A check is a
 * call that lets the goroutine yield if its time slice is over.
 *
 * <p>The target of a backward jump is the head of a loop. A loop gets a check when it is entered,
 * and then once for each <i>strip</i>, a fixed number of iterations. Within a strip there is no
 * check, so the JIT compiler can optimize it as it would optimize the original loop. A loop with a
 * call has short strips, because the duration of a call is unknown.
 *
 * <p>In this class <i>bci</i> is the index of an instruction in the bytes of the method's code.
 */
final class LoopPlan {
  /*
   * This class assumes that a loop consists of the code from its head to the last backward jump to
   * it, because Java compilers lay out loops in this way. In code of other compilers a call of the
   * loop may lie elsewhere, and this class does not see it. Then the loop has long strips, although
   * each iteration makes a call.
   *
   * Only a loop or a recursion can take long, and a recursion needs a call. Therefore a method
   * without a call has no check at its entry: getters, setters and similar methods stay unchanged.
   * Calls of methods that are short and do not call back into the program do not count as calls.
   */
  private static final int LONG_STRIP = 1024; // iterations of a loop without a call: about 1 µs
  private static final int SHORT_STRIP = 64; // iterations of a loop with a call

  private static final Set<String> SHORT_CLASSES =
      Set.of(
          "java/lang/Math",
          "java/lang/StrictMath",
          "java/lang/Boolean",
          "java/lang/Byte",
          "java/lang/Character",
          "java/lang/Short",
          "java/lang/Integer",
          "java/lang/Long",
          "java/lang/Float",
          "java/lang/Double");

  private static final Set<String> SHORT_METHODS =
      Set.of(
          "java/lang/Object.<init>",
          "java/lang/String.charAt",
          "java/lang/String.length",
          "java/lang/String.isEmpty");

  /**
   * The maximal length of a woven method in bytes. A jump in a class file has a signed offset of 16
   * bits, so it cannot reach across a longer method.
   */
  private static final int MAX_LENGTH = 32_767;

  /** The JIT compilers do not compile a method of this many bytes or more (HugeMethodLimit). */
  private static final int HUGE_METHOD_LIMIT = 8_000;

  // Upper bounds of the bytes that LoopRewriter inserts. In this order: for a check; for a store to
  // a variable with a large index; for a constant; for the end of an iteration; and for the padding
  // of a switch instruction, which changes when the instruction moves.

  private static final int CALL = 3;
  private static final int WIDE_STORE = 4;
  private static final int PUSH = 3;
  private static final int JUMP = 6 + 4 + 3 + 3; // wide iinc, wide iload, ifge, goto
  private static final int PADDING = 3;

  private final CodeAttribute code;

  /** Maps the bci of the head of each loop to the bci of the last backward jump to it. */
  private final NavigableMap<Integer, Integer> loops = new TreeMap<>();

  /** The bci of each call that may take long. */
  private final TreeSet<Integer> calls = new TreeSet<>();

  /** The number of backward jumps. Each gets the code for the end of an iteration at most once. */
  private int backEdges;

  private int switches;

  /** Whether the method uses subroutines (jsr, ret), which the class-file API cannot rewrite. */
  private boolean isOld;

  LoopPlan(CodeAttribute code) {
    this.code = code;
    int bci = 0;
    for (CodeElement element : code) {
      if (element instanceof ExceptionCatch handler) {
        addIfBefore(handler);
      }
      if (element instanceof Instruction instruction) {
        add(bci, instruction);
        bci += instruction.sizeInBytes();
      }
    }
  }

  /** Whether the method needs no check at all. */
  boolean isEmpty() {
    return loops.isEmpty() && calls.isEmpty();
  }

  /** Returns the reason why the method cannot be woven, or an empty string if it can. */
  String obstacle() {
    int before = code.codeLength();
    int after = before + growth();
    if (isOld) {
      return "it uses the subroutines of class files before Java 6";
    }
    if (after > MAX_LENGTH) {
      return "it is too long (" + before + " bytes)";
    }
    if (before < HUGE_METHOD_LIMIT && after >= HUGE_METHOD_LIMIT) {
      return "it is so long (" + before + " bytes) that the JVM would no longer compile it";
    }
    return "";
  }

  /**
   * Whether the method gets a check at its entry. A method with a call that may take long gets one,
   * because it may be part of a recursion, which needs no loop.
   */
  boolean checksEntry() {
    return !calls.isEmpty();
  }

  boolean hasLoops() {
    return !loops.isEmpty();
  }

  /** Whether a loop begins at {@code bci}. */
  boolean isHead(int bci) {
    return loops.containsKey(bci);
  }

  /**
   * Returns the length of the strips of the loop that begins at {@code head}: the number of its
   * backward jumps between two checks.
   */
  int strip(int head) {
    int last = loops.getOrDefault(head, head);
    return calls.subSet(head, true, last, true).isEmpty() ? LONG_STRIP : SHORT_STRIP;
  }

  /** Returns the bci of the instruction to which {@code label} points. */
  int bciOf(Label label) {
    return code.labelToBci(label);
  }

  /** Returns an upper bound of the bytes by which weaving makes the method longer. */
  private int growth() {
    return CALL
        + 1
        + WIDE_STORE
        + loops.size() * (CALL + PUSH + WIDE_STORE)
        + backEdges * JUMP
        + switches * PADDING;
  }

  private void add(int bci, Instruction instruction) {
    switch (instruction) {
      case BranchInstruction branch -> addIfBack(bci, branch.target());
      case TableSwitchInstruction table -> addCases(bci, table.defaultTarget(), table.cases());
      case LookupSwitchInstruction table -> addCases(bci, table.defaultTarget(), table.cases());
      case InvokeDynamicInstruction _ -> calls.add(bci);
      case InvokeInstruction call -> addUnlessShort(bci, call);
      case DiscontinuedInstruction _ -> isOld = true;
      default -> {}
    }
  }

  private void addCases(int bci, Label otherwise, List<SwitchCase> cases) {
    switches++;
    addIfBack(bci, otherwise);
    cases.forEach(each -> addIfBack(bci, each.target()));
  }

  /** Adds a loop, or extends it to {@code bci}, if the jump at {@code bci} leads backwards. */
  private void addIfBack(int bci, Label target) {
    int head = code.labelToBci(target);
    if (head <= bci) {
      backEdges++;
      loops.merge(head, bci, Math::max);
    }
  }

  /**
   * Adds a loop if the code of {@code handler} lies before its try block. A loop that retries a
   * block after an exception has this form: the exception has the effect of a backward jump.
   */
  private void addIfBefore(ExceptionCatch handler) {
    int head = code.labelToBci(handler.handler());
    if (head < code.labelToBci(handler.tryStart())) {
      loops.merge(head, code.labelToBci(handler.tryEnd()), Math::max);
    }
  }

  /** Adds a call, unless it is known to take little time. */
  private void addUnlessShort(int bci, InvokeInstruction call) {
    String owner = call.owner().asInternalName();
    if (!SHORT_CLASSES.contains(owner)
        && !SHORT_METHODS.contains(owner + "." + call.name().stringValue())) {
      calls.add(bci);
    }
  }
}
