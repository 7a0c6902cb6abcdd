package io.heddle.internal.jdk;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Inserts code at the head of those methods of a class that match a predicate. At least one method
 * of the class must match.
 */
final class HeadInsertion implements ClassTransform {
  private final String method;
  private final Predicate<MethodModel> isTarget;
  private final MethodTransform insertion;
  private boolean isWritten;

  private HeadInsertion(
      String method, Predicate<MethodModel> isTarget, Consumer<CodeBuilder> inserted) {
    this.method = method;
    this.isTarget = isTarget;
    this.insertion = MethodTransform.transformingCode(new AtHead(inserted));
  }

  /**
   * Returns a change that can be applied several times. If no method of a class matches {@code
   * isTarget}, the change throws {@code IllegalStateException}.
   *
   * @param method the name of the class and the method, for the text of the exception
   */
  static ClassTransform of(
      String method, Predicate<MethodModel> isTarget, Consumer<CodeBuilder> inserted) {
    return ClassTransform.ofStateful(() -> new HeadInsertion(method, isTarget, inserted));
  }

  @Override
  public void accept(ClassBuilder out, ClassElement element) {
    if (element instanceof MethodModel model && isTarget.test(model)) {
      isWritten = true;
      out.transformMethod(model, insertion);
    } else {
      out.with(element);
    }
  }

  @Override
  public void atEnd(ClassBuilder out) {
    if (!isWritten) {
      throw new IllegalStateException("there is no method " + method);
    }
  }

  private record AtHead(Consumer<CodeBuilder> inserted) implements CodeTransform {
    @Override
    public void atStart(CodeBuilder code) {
      inserted.accept(code);
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      code.with(element);
    }
  }
}
