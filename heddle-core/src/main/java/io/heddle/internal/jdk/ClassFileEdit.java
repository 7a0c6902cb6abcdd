package io.heddle.internal.jdk;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Replaces calls in a class file. The new code takes the place of the old, and new constants follow
 * the old ones. So no instruction, branch target or stack frame moves.
 *
 * <p>The class-file API could do the same. It is not used here, because its classes take longer to
 * load than many programs run.
 */
final class ClassFileEdit {
  /*
   * Numbers as in the Java Virtual Machine Specification, chapters 4 (constants) and 6
   * (instructions).
   *
   * Checked by: ClassFileEditTest.
   */
  static final int ILOAD_1 = 0x1B;
  static final int ILOAD_2 = 0x1C;
  static final int LLOAD_2 = 0x20;
  static final int LLOAD_3 = 0x21;
  static final int ALOAD_0 = 0x2A;
  static final int ALOAD_1 = 0x2B;
  static final int ALOAD_3 = 0x2D;
  static final int DUP = 0x59;
  static final int ARETURN = 0xB0;
  static final int INVOKE_SPECIAL = 0xB7;
  static final int INVOKE_STATIC = 0xB8;
  static final int INVOKE_INTERFACE = 0xB9;
  static final int INVOKE_DYNAMIC = 0xBA;
  static final int NEW = 0xBB;
  private static final int TABLE_SWITCH = 0xAA;
  private static final int LOOKUP_SWITCH = 0xAB;
  private static final int WIDE = 0xC4;
  private static final int LAST = 0xC9;

  private static final int UTF8 = 1;
  private static final int CLASS = 7;
  private static final int METHOD = 10;
  private static final int INTERFACE_METHOD = 11;
  private static final int NAME_AND_TYPE = 12;

  /** The position of the two bytes that hold the number of constants. The constants follow. */
  private static final int CONSTANTS = 8;

  private final byte[] file;
  private final int[] constants; // the positions of the constants, by their index
  private final int end; // the position after the constants
  private final ByteArrayOutputStream added = new ByteArrayOutputStream();
  private int addedCount;
  private int[] instructions = new int[1024]; // the positions of the instructions of all methods
  private int count; // the number of instructions

  /**
   * Reads a class file. The edits change a copy, and not {@code original}.
   *
   * @throws IllegalStateException if the class file cannot be read
   */
  ClassFileEdit(byte[] original) {
    file = original.clone();
    try {
      constants = new int[u2(CONSTANTS)];
      end = findConstants();
      findInstructions();
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalStateException("a class file cannot be read", e);
    }
  }

  /** Returns the number of instructions in all methods. */
  int count() {
    return count;
  }

  /**
   * Whether the instructions that end with instruction {@code last} have these codes, in this
   * order.
   */
  boolean endsWith(int last, int... codes) {
    int first = last - codes.length + 1;
    if (first < 0 || last >= count) {
      return false;
    }
    for (int i = 0; i < codes.length; i++) {
      if (u1(instructions[first + i]) != codes[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether instruction {@code i} has the code {@code call} and calls this method. Null stands for
   * any name or type.
   */
  boolean isCall(
      int i, int call, String owner, @Nullable String name, @Nullable String descriptor) {
    if (i < 0 || u1(instructions[i]) != call) {
      return false;
    }
    int method = constants[u2(instructions[i] + 1)];
    int nameAndType = constants[u2(method + 3)];
    return isText(constants[u2(constants[u2(method + 1)] + 1)], owner)
        && (name == null || isText(constants[u2(nameAndType + 1)], name))
        && (descriptor == null || isText(constants[u2(nameAndType + 3)], descriptor));
  }

  /** Returns the name of the method that instruction {@code i} calls. */
  String nameOfCall(int i) {
    return text(constants[u2(constants[u2(constants[u2(instructions[i] + 1)] + 3)] + 1)]);
  }

  /** Returns the descriptor of the method that instruction {@code i} calls. */
  String typeOfCall(int i) {
    return text(constants[u2(constants[u2(constants[u2(instructions[i] + 1)] + 3)] + 3)]);
  }

  /** Whether the class file refers to the class {@code name}. */
  boolean refersTo(String name) {
    for (int constant : constants) {
      if (constant != 0 && u1(constant) == CLASS && isText(constants[u2(constant + 1)], name)) {
        return true;
      }
    }
    return false;
  }

  /** Replaces instruction {@code i} by instructions that do nothing. */
  void remove(int i) {
    Arrays.fill(file, instructions[i], next(instructions[i]), (byte) 0); // nop
  }

  /** Replaces instruction {@code i}, which is a call, by the call of a static method. */
  void callStatic(int i, String owner, String name, String descriptor) {
    int method = addMethod(METHOD, owner, name, descriptor);
    remove(i);
    put(instructions[i], INVOKE_STATIC, method);
  }

  /**
   * Makes instruction {@code i}, a call of an interface method, call another interface method with
   * the same number of arguments.
   */
  void callInterface(int i, String owner, String name, String descriptor) {
    put(instructions[i], INVOKE_INTERFACE, addMethod(INTERFACE_METHOD, owner, name, descriptor));
  }

  /** Returns the edited class file. */
  byte[] toBytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream(file.length + added.size());
    int all = constants.length + addedCount;
    out.write(file, 0, CONSTANTS);
    out.write(all >> 8);
    out.write(all);
    out.write(file, CONSTANTS + 2, end - CONSTANTS - 2);
    out.writeBytes(added.toByteArray());
    out.write(file, end, file.length - end);
    return out.toByteArray();
  }

  private int findConstants() {
    int at = CONSTANTS + 2;
    for (int i = 1; i < constants.length; i++) {
      constants[i] = at;
      int tag = u1(at);
      switch (tag) {
        case UTF8 -> at += 3 + u2(at + 1);
        case CLASS, 8, 16, 19, 20 -> at += 3; // with one index
        case 15 -> at += 4; // a method handle
        case 5, 6 -> { // a long or double has two indexes
          at += 9;
          i++;
        }
        default -> at += 5;
      }
    }
    return at;
  }

  private void findInstructions() {
    int at = end + 6;
    at += 2 + 2 * u2(at); // interfaces
    at = findInstructions(at); // the fields: they have no instructions
    int _ = findInstructions(at);
  }

  /** Finds the instructions of the fields or methods at {@code at}; returns where they end. */
  private int findInstructions(int at) {
    int members = u2(at);
    at += 2;
    for (int i = 0; i < members; i++) {
      int attributes = u2(at + 6);
      at += 8;
      for (int j = 0; j < attributes; j++) {
        if (isText(constants[u2(at)], "Code")) {
          addInstructions(at + 14, u4(at + 10));
        }
        at += 6 + u4(at + 2);
      }
    }
    return at;
  }

  private void addInstructions(int start, int length) {
    for (int at = start; at < start + length; at = next(at, start)) {
      if (count == instructions.length) {
        instructions = Arrays.copyOf(instructions, 2 * count);
      }
      instructions[count++] = at;
    }
  }

  /** Returns the position after the instruction at {@code at}, in code that begins at start. */
  private int next(int at, int start) {
    int operands = at + 4 - (at - start) % 4; // of a switch
    return switch (u1(at)) {
      case TABLE_SWITCH -> operands + 12 + 4 * (u4(operands + 8) - u4(operands + 4) + 1);
      case LOOKUP_SWITCH -> operands + 8 + 8 * u4(operands + 4);
      case WIDE -> at + (u1(at + 1) == 0x84 ? 6 : 4); // iinc has two operands
      default -> next(at);
    };
  }

  /** Returns the position after the instruction at {@code at}, if it is no switch and not wide. */
  private int next(int at) {
    int code = u1(at);
    if (code > LAST) {
      throw new IllegalStateException("a class file has the unknown instruction " + code);
    }
    return at
        + switch (code) {
          case 0x10, 0x12, 0x15, 0x16, 0x17, 0x18, 0x19, 0x36, 0x37, 0x38, 0x39, 0x3A, 0xA9, 0xBC ->
              2;
          case 0x11, 0x13, 0x14, 0x84, NEW, 0xBD, 0xC0, 0xC1, 0xC6, 0xC7 -> 3;
          case 0xC5 -> 4;
          case INVOKE_INTERFACE, INVOKE_DYNAMIC, 0xC8, LAST -> 5;
          default -> (code >= 0x99 && code <= 0xA8) || (code >= 0xB2 && code <= 0xB8) ? 3 : 1;
        };
  }

  private int addMethod(int tag, String owner, String name, String descriptor) {
    int type = add(CLASS, addText(owner), 0);
    int nameAndType = add(NAME_AND_TYPE, addText(name), addText(descriptor));
    return add(tag, type, nameAndType);
  }

  private int addText(String text) {
    try {
      DataOutputStream out = new DataOutputStream(added);
      out.write(UTF8);
      out.writeUTF(text);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return constants.length + addedCount++;
  }

  /**
   * Adds a constant that refers to the constants {@code first} and {@code second}; only to {@code
   * first} if {@code second} is 0. Returns the index of the new constant.
   */
  private int add(int tag, int first, int second) {
    added.write(tag);
    added.write(first >> 8);
    added.write(first);
    if (second != 0) {
      added.write(second >> 8);
      added.write(second);
    }
    int index = constants.length + addedCount++;
    if (index > 0xFFFE) {
      throw new IllegalStateException("a class file has no room for another constant");
    }
    return index;
  }

  private void put(int at, int code, int index) {
    file[at] = (byte) code;
    file[at + 1] = (byte) (index >> 8);
    file[at + 2] = (byte) index;
  }

  private boolean isText(int constant, String text) {
    return u2(constant + 1) == text.length() && text(constant).equals(text);
  }

  /** Returns the text of a constant. The JDK's names are ASCII, so each byte is a character. */
  private String text(int constant) {
    return new String(file, constant + 3, u2(constant + 1), StandardCharsets.ISO_8859_1);
  }

  private int u1(int at) {
    return file[at] & 0xFF;
  }

  private int u2(int at) {
    return u1(at) << 8 | u1(at + 1);
  }

  private int u4(int at) {
    return u2(at) << 16 | u2(at + 2);
  }
}
