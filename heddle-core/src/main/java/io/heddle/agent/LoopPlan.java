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
 * Where the loops of a method begin, and what is done there; found before anything is written.
 *
 * <p>A loop is where a jump leads back to. It is checked when it is entered, and then once per strip of iterations, so
 * that the compiler can do with a strip what it would do with the loop. The strips of a loop that calls something are
 * short, since nobody knows how long a call takes.
 */
final class LoopPlan {
  /*
   * A loop is taken for what lies between its head and the last jump back. Compilers lay loops out so; where one does
   * not, a call may be overlooked, and the checks are a long strip of calls apart.
   *
   * Nothing but a loop or a recursion can take long, and there is no recursion without a call. So a method that calls
   * nothing is not checked when it is entered: getters, setters and the like stay as they are. Calls that are short and
   * do not lead back into the program count for nothing.
   */
  private static final int LONG_STRIP = 1024; // a microsecond or so
  private static final int SHORT_STRIP = 64;

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

  private static final int MOST = 32_767;

  /** From here on the JDK's compilers leave a method to the interpreter (its HugeMethodLimit). */
  private static final int COMPILED = 8_000;

  private static final int CALL = 3;
  private static final int WIDE_STORE = 4;
  private static final int PUSH = 3;
  private static final int JUMP = 6 + 4 + 3 + 3; // wide iinc, wide iload, ifge, goto
  private static final int PADDING = 3;

  private final CodeAttribute code;

  /** From the head of each loop to the last jump back to it. */
  private final NavigableMap<Integer, Integer> loops = new TreeMap<>();

  private final TreeSet<Integer> calls = new TreeSet<>();
  private int backEdges;
  private int switches;
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

  /** Whether there is anything to check. */
  boolean isEmpty() {
    return loops.isEmpty() && calls.isEmpty();
  }

  /** Why it cannot be woven; empty if it can. */
  String obstacle() {
    int before = code.codeLength();
    int after = before + growth();
    if (isOld) {
      return "it has subroutines, which Java had before version 6";
    }
    if (after > MOST) {
      return "it is too long (" + before + " bytes)";
    }
    if (before < COMPILED && after >= COMPILED) {
      return "it is so long (" + before + " bytes) that it would not be compiled any more";
    }
    return "";
  }

  /** Whether the method is to be checked when it is entered. */
  boolean checksEntry() {
    return !calls.isEmpty();
  }

  boolean hasLoops() {
    return !loops.isEmpty();
  }

  /** Whether a loop begins there. */
  boolean isHead(int bci) {
    return loops.containsKey(bci);
  }

  /** After how many iterations the loop that begins there is checked again. */
  int strip(int head) {
    int last = loops.getOrDefault(head, head);
    return calls.subSet(head, true, last, true).isEmpty() ? LONG_STRIP : SHORT_STRIP;
  }

  int bciOf(Label label) {
    return code.labelToBci(label);
  }

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

  private void addIfBack(int bci, Label target) {
    int head = code.labelToBci(target);
    if (head <= bci) {
      backEdges++;
      loops.merge(head, bci, Math::max);
    }
  }

  /** A handler before what it guards makes a loop, too: of what throws and is tried again. */
  private void addIfBefore(ExceptionCatch handler) {
    int head = code.labelToBci(handler.handler());
    if (head < code.labelToBci(handler.tryStart())) {
      loops.merge(head, code.labelToBci(handler.tryEnd()), Math::max);
    }
  }

  private void addUnlessShort(int bci, InvokeInstruction call) {
    String owner = call.owner().asInternalName();
    if (!SHORT_CLASSES.contains(owner)
        && !SHORT_METHODS.contains(owner + "." + call.name().stringValue())) {
      calls.add(bci);
    }
  }
}
