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
 * Adds checks to the loops and method entries of a class, so that a goroutine that computes there yields when it has had
 * its time slice (rule S6). What the class does, throws, and shows to a debugger is the same.
 *
 * <p>A method that cannot be changed, because it would become too long or is very old, is left as it is.
 */
final class Weaver {
  private static final ClassFile FILE =
      ClassFile.of(
          ClassFile.StackMapsOption.DROP_STACK_MAPS, // LoopWeave brings them along
          ClassFile.ShortJumpsOption.FAIL_ON_SHORT_JUMPS,
          ClassFile.DeadCodeOption.KEEP_DEAD_CODE);

  private final ClassDesc holder;

  /** Told the method, and why it was left as it is. */
  private final BiConsumer<String, String> leftOut;

  /** {@code holder} is the class whose check is called. */
  Weaver(ClassDesc holder, BiConsumer<String, String> leftOut) {
    this.holder = holder;
    this.leftOut = leftOut;
  }

  /**
   * The class with checks; null if there is nothing to check, or it has checks already.
   *
   * @throws IllegalArgumentException if this is no class file as it should be
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

  private boolean isWoven(ClassModel model) {
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof ClassEntry type && type.matches(holder)) {
        return true;
      }
    }
    return false;
  }

  private final class Methods implements ClassTransform {
    private final ClassModel model;
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

    /** Null if the method is to stay as it is. */
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
