package io.heddle.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * Classes of {@code java.base} with other internals, for a child JVM. Names are as in class files.
 */
public final class PatchedJdk {
  private final Path dir;

  /** The changed classes are written to {@code dir}, which must be empty. */
  public PatchedJdk(Path dir) {
    this.dir = dir;
  }

  /** The flags of a JVM that has the changes. */
  public String[] flags() {
    return new String[] {"--patch-module", "java.base=" + dir, "-Xlog:disable", "-Xlog:all=off"};
  }

  public PatchedJdk change(String name, ClassTransform change) throws IOException {
    ClassFile file = ClassFile.of();
    try (InputStream in = Object.class.getResourceAsStream("/" + name + ".class")) {
      return write(name, file.transformClass(file.parse(in.readAllBytes()), change));
    }
  }

  /** Adds a class without members. */
  public PatchedJdk add(String name) throws IOException {
    ClassDesc type = ClassDesc.ofInternalName(name);
    return write(name, ClassFile.of().build(type, clazz -> clazz.withFlags(ClassFile.ACC_PUBLIC)));
  }

  /** Renames the fields of this name in all of these classes that the JDK has. */
  public PatchedJdk renameFields(String field, String... names) throws IOException {
    String other = field + "Renamed";
    ClassTransform declared =
        (clazz, element) -> {
          if (element instanceof FieldModel model && model.fieldName().equalsString(field)) {
            clazz.withField(other, model.fieldTypeSymbol(), model.flags().flagsMask());
          } else {
            clazz.with(element);
          }
        };
    CodeTransform used =
        (code, element) -> {
          if (element instanceof FieldInstruction use && use.name().equalsString(field)) {
            code.fieldAccess(use.opcode(), use.owner().asSymbol(), other, use.typeSymbol());
          } else {
            code.with(element);
          }
        };
    return changeAll(declared.andThen(ClassTransform.transformingMethodBodies(used)), names);
  }

  /** Renames the methods of this name in all of these classes that the JDK has. */
  public PatchedJdk renameMethods(String method, String... names) throws IOException {
    String other = method + "Renamed";
    Set<String> owners = Set.of(names);
    ClassTransform declared =
        (clazz, element) -> {
          if (element instanceof MethodModel model && model.methodName().equalsString(method)) {
            clazz.withMethod(
                other,
                model.methodTypeSymbol(),
                model.flags().flagsMask(),
                to -> model.forEach(to::with));
          } else {
            clazz.with(element);
          }
        };
    CodeTransform called =
        (code, element) -> {
          if (element instanceof InvokeInstruction call
              && call.name().equalsString(method)
              && owners.contains(call.owner().asInternalName())) {
            code.invoke(call.opcode(), call.owner().asSymbol(), other, call.typeSymbol(), false);
          } else {
            code.with(element);
          }
        };
    return changeAll(declared.andThen(ClassTransform.transformingMethodBodies(called)), names);
  }

  private PatchedJdk changeAll(ClassTransform change, String... names) throws IOException {
    for (String name : names) {
      if (Object.class.getResource("/" + name + ".class") != null) {
        change(name, change);
      }
    }
    return this;
  }

  private PatchedJdk write(String name, byte[] bytes) throws IOException {
    Path to = dir.resolve(name + ".class");
    Files.createDirectories(to.getParent());
    Files.write(to, bytes);
    return this;
  }
}
