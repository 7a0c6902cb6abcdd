package io.heddle.agent;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.ClassDesc;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds checks to the loops and method entries of a class, so that a goroutine that computes there
 * yields at the end of its time slice. This is rule S6 of docs/internals/rules.md. A check is a
 * call of a static method, which yields if the scheduler has asked the goroutine to yield. The
 * behaviour of the class, its exceptions and its debug information stay the same.
 *
 * <p>A method stays unchanged if it needs no check, if it would become too long, or if it uses the
 * subroutines of class files before Java 6.
 */
final class Weaver {
  private static final ClassFile FILE =
      ClassFile.of(
          ClassFile.StackMapsOption.DROP_STACK_MAPS, // because LoopRewriter writes them itself
          ClassFile.ShortJumpsOption
              .FAIL_ON_SHORT_JUMPS, // LoopPlan refuses methods that need longer jumps
          ClassFile.DeadCodeOption.KEEP_DEAD_CODE);

  /** The class that has the check method. */
  private final ClassDesc holder;

  /** Receives the name of each method that was left unchanged, and the reason. */
  private final BiConsumer<String, String> leftOut;

  /** Creates a weaver; {@code holder} is the class that has the check method. */
  Weaver(ClassDesc holder, BiConsumer<String, String> leftOut) {
    this.holder = holder;
    this.leftOut = leftOut;
  }

  /**
   * Returns the class with checks. Returns null if no method gets a check, or if the class has
   * checks already.
   *
   * @throws IllegalArgumentException if {@code bytes} is not a valid class file
   */
  byte @Nullable [] weave(byte[] bytes) {
    ClassModel model = FILE.parse(bytes);
    if (isWoven(model)) {
      return null;
    }
    Methods methods = new Methods(model);
    byte[] woven = FILE.transformClass(model, methods);
    return methods.any ? woven : null;
  }

  /** Whether the class has checks already: only then it refers to {@link #holder}. */
  private boolean isWoven(ClassModel model) {
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof ClassEntry type && type.matches(holder)) {
        return true;
      }
    }
    return false;
  }

  /** The transformation of one class: rewrites the methods that need checks. */
  private final class Methods implements ClassTransform {
    private final ClassModel model;

    /** Whether a method was rewritten. */
    boolean any;

    Methods(ClassModel model) {
      this.model = model;
    }

    @Override
    public void accept(ClassBuilder out, ClassElement element) {
      CodeTransform weave = element instanceof MethodModel method ? weaveOf(method) : null;
      if (weave == null) {
        out.with(element);
      } else {
        any = true;
        out.transformMethod((MethodModel) element, MethodTransform.transformingCode(weave));
      }
    }

    /** Returns the rewriter of the method, or null to leave it unchanged. */
    private @Nullable CodeTransform weaveOf(MethodModel method) {
      if (!(method.code().orElse(null) instanceof CodeAttribute code)) {
        return null;
      }
      LoopPlan plan = new LoopPlan(code);
      if (plan.isEmpty()) {
        return null;
      }
      String obstacle = plan.obstacle();
      if (!obstacle.isEmpty()) {
        String type = model.thisClass().asInternalName().replace('/', '.');
        leftOut.accept(type + "." + method.methodName().stringValue(), obstacle);
        return null;
      }
      return new LoopRewriter(holder, code, plan);
    }
  }
}
