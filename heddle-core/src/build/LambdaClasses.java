import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Replaces the lambdas in compiled classes by classes. The build runs it on those classes of
 * Heddle that a program needs at its start.
 *
 * <p>The JVM makes the class of a lambda at run time, which takes about 0.7 ms of CPU time for each
 * in a process that has just started. A class in the jar takes about 0.2 ms.
 *
 * <p>A class {@code A$$L1} is a nest mate of A, so that it may call private methods of A. A lambda
 * that needs more than a cast between the interface and its method stays as it is.
 */
public final class LambdaClasses {
  private static final String INSTANCE = "INSTANCE";
  private static final String MAKE = "make";

  private final Path root;
  private final ClassFile files;

  /** The new classes, by the host of their nest. */
  private final Map<String, List<ClassDesc>> members = new TreeMap<>();

  private LambdaClasses(Path root) {
    this.root = root;
    this.files =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(this::find)
                    .orElse(ClassHierarchyResolver.defaultResolver())));
  }

  /** The arguments are the folder of the class files, and the packages, with slashes. */
  public static void main(String[] arguments) throws IOException {
    LambdaClasses lambdas = new LambdaClasses(Path.of(arguments[0]));
    for (int i = 1; i < arguments.length; i++) {
      lambdas.replaceIn(lambdas.root.resolve(arguments[i]));
    }
    lambdas.addMembers();
  }

  private InputStream find(ClassDesc type) {
    Path file = file(type);
    try {
      return Files.exists(file) ? new ByteArrayInputStream(Files.readAllBytes(file)) : null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path file(ClassDesc type) {
    return root.resolve(internalName(type) + ".class");
  }

  private static String internalName(ClassDesc type) {
    String descriptor = type.descriptorString();
    return descriptor.substring(1, descriptor.length() - 1);
  }

  private void replaceIn(Path folder) throws IOException {
    List<Path> classes;
    try (Stream<Path> all = Files.list(folder)) {
      classes = all.filter(file -> file.toString().endsWith(".class")).sorted().toList();
    }
    for (Path file : classes) {
      ClassModel model = files.parse(Files.readAllBytes(file));
      Replacement replacement = new Replacement(model);
      byte[] replaced =
          files.transformClass(
              model,
              ClassTransform.transformingMethodBodies(
                  method ->
                      method.code().orElseThrow().elementList().stream()
                          .anyMatch(Replacement::isLambda),
                  replacement::accept));
      if (replacement.count > 0) {
        Files.write(file, replaced);
      }
    }
  }

  /** Names the new classes in the hosts of their nests. */
  private void addMembers() throws IOException {
    for (Map.Entry<String, List<ClassDesc>> entry : members.entrySet()) {
      Path file = root.resolve(entry.getKey() + ".class");
      ClassModel model = files.parse(Files.readAllBytes(file));
      List<ClassDesc> all = new ArrayList<>();
      model
          .findAttribute(Attributes.nestMembers())
          .ifPresent(known -> known.nestMembers().forEach(type -> all.add(type.asSymbol())));
      entry.getValue().stream().filter(type -> !all.contains(type)).forEach(all::add);
      Files.write(
          file,
          files.transformClass(
              model,
              ClassTransform.dropping(element -> element instanceof NestMembersAttribute)
                  .andThen(
                      ClassTransform.endHandler(
                          out -> out.with(NestMembersAttribute.ofSymbols(all))))));
    }
  }

  /** The replacement of the lambdas in one class. */
  private final class Replacement {
    private final ClassDesc outer;
    private final ClassDesc host;
    int count;

    Replacement(ClassModel model) {
      this.outer = model.thisClass().asSymbol();
      this.host =
          model
              .findAttribute(Attributes.nestHost())
              .map(known -> known.nestHost().asSymbol())
              .orElse(outer);
    }

    static boolean isLambda(CodeElement element) {
      return element instanceof InvokeDynamicInstruction site
          && site.bootstrapMethod().owner().displayName().equals("LambdaMetafactory")
          && site.bootstrapMethod().methodName().equals("metafactory");
    }

    void accept(CodeBuilder code, CodeElement element) {
      if (!isLambda(element) || !replace(code, (InvokeDynamicInstruction) element)) {
        code.with(element);
      }
    }

    private boolean replace(CodeBuilder code, InvokeDynamicInstruction site) {
      Lambda lambda =
          new Lambda(
              ClassDesc.ofInternalName(internalName(outer) + "$$L" + (count + 1)),
              host,
              site.typeSymbol(),
              site.name().stringValue(),
              (MethodTypeDesc) site.bootstrapArgs().get(0),
              (DirectMethodHandleDesc) site.bootstrapArgs().get(1));
      if (!lambda.isPlain(outer)) {
        return false;
      }
      count++;
      try {
        Files.write(file(lambda.self), files.build(lambda.self, lambda::write));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      members.computeIfAbsent(internalName(host), _ -> new ArrayList<>()).add(lambda.self);
      if (lambda.made.parameterCount() == 0) {
        code.getstatic(lambda.self, INSTANCE, lambda.made.returnType());
      } else {
        code.invokestatic(lambda.self, MAKE, lambda.made);
      }
      return true;
    }
  }

  /**
   * A lambda.
   *
   * @param self its new class
   * @param made from the captured values to the interface
   * @param name the method of the interface
   * @param type the type of that method, erased
   * @param body the method that is called
   */
  private record Lambda(
      ClassDesc self,
      ClassDesc host,
      MethodTypeDesc made,
      String name,
      MethodTypeDesc type,
      DirectMethodHandleDesc body) {
    /** Whether a call needs nothing but casts of references. */
    boolean isPlain(ClassDesc outer) {
      MethodTypeDesc called = body.invocationType();
      List<ClassDesc> passed = new ArrayList<>(made.parameterList());
      passed.addAll(type.parameterList());
      if (passed.size() != called.parameterCount()) {
        return false;
      }
      for (int i = 0; i < passed.size(); i++) {
        if (!isCast(passed.get(i), called.parameterType(i))) {
          return false;
        }
      }
      boolean isSuper =
          body.refKind() == java.lang.invoke.MethodHandleInfo.REF_invokeSpecial
              && !body.owner().equals(outer);
      return !isSuper
          && (type.returnType().equals(ConstantDescs.CD_void)
              || isCast(called.returnType(), type.returnType()));
    }

    private static boolean isCast(ClassDesc from, ClassDesc to) {
      return from.isPrimitive() || to.isPrimitive() ? from.equals(to) : true;
    }

    void write(java.lang.classfile.ClassBuilder out) {
      ClassDesc shown = made.returnType();
      out.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC | ClassFile.ACC_SUPER);
      out.withInterfaceSymbols(shown);
      out.with(NestHostAttribute.of(host));
      MethodTypeDesc init = made.changeReturnType(ConstantDescs.CD_void);
      for (int i = 0; i < made.parameterCount(); i++) {
        out.withField(
            "c" + i, made.parameterType(i), ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL);
      }
      out.withMethodBody(ConstantDescs.INIT_NAME, init, ClassFile.ACC_PRIVATE, this::writeInit);
      if (made.parameterCount() == 0) {
        out.withField(INSTANCE, shown, ClassFile.ACC_STATIC | ClassFile.ACC_FINAL);
        out.withMethodBody(
            ConstantDescs.CLASS_INIT_NAME,
            ConstantDescs.MTD_void,
            ClassFile.ACC_STATIC,
            code ->
                code.new_(self)
                    .dup()
                    .invokespecial(self, ConstantDescs.INIT_NAME, init)
                    .putstatic(self, INSTANCE, shown)
                    .return_());
      } else {
        out.withMethodBody(
            MAKE,
            made,
            ClassFile.ACC_STATIC,
            code -> {
              code.new_(self).dup();
              loadParameters(code, made, 0);
              code.invokespecial(self, ConstantDescs.INIT_NAME, init).areturn();
            });
      }
      out.withMethodBody(name, type, ClassFile.ACC_PUBLIC, this::writeCall);
    }

    private void writeInit(CodeBuilder code) {
      code.aload(0)
          .invokespecial(ConstantDescs.CD_Object, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void);
      int slot = 1;
      for (int i = 0; i < made.parameterCount(); i++) {
        ClassDesc captured = made.parameterType(i);
        code.aload(0).loadLocal(TypeKind.from(captured), slot).putfield(self, "c" + i, captured);
        slot += TypeKind.from(captured).slotSize();
      }
      code.return_();
    }

    private static void loadParameters(CodeBuilder code, MethodTypeDesc type, int slot) {
      for (ClassDesc parameter : type.parameterList()) {
        code.loadLocal(TypeKind.from(parameter), slot);
        slot += TypeKind.from(parameter).slotSize();
      }
    }

    private void writeCall(CodeBuilder code) {
      MethodTypeDesc called = body.invocationType();
      boolean isConstructor = body.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR;
      if (isConstructor) {
        code.new_(body.owner()).dup();
      }
      int argument = 0;
      for (int i = 0; i < made.parameterCount(); i++) {
        code.aload(0).getfield(self, "c" + i, made.parameterType(i));
        cast(code, made.parameterType(i), called.parameterType(argument++));
      }
      int slot = 1;
      for (ClassDesc parameter : type.parameterList()) {
        code.loadLocal(TypeKind.from(parameter), slot);
        slot += TypeKind.from(parameter).slotSize();
        cast(code, parameter, called.parameterType(argument++));
      }
      MethodTypeDesc descriptor = MethodTypeDesc.ofDescriptor(body.lookupDescriptor());
      Opcode opcode =
          switch (body.kind()) {
            case STATIC, INTERFACE_STATIC -> Opcode.INVOKESTATIC;
            case CONSTRUCTOR -> Opcode.INVOKESPECIAL;
            case INTERFACE_VIRTUAL, INTERFACE_SPECIAL -> Opcode.INVOKEINTERFACE;
            default -> Opcode.INVOKEVIRTUAL; // also for a private method of a nest mate
          };
      String method = isConstructor ? ConstantDescs.INIT_NAME : body.methodName();
      code.invoke(opcode, body.owner(), method, descriptor, body.isOwnerInterface());
      ClassDesc returned = called.returnType();
      if (!type.returnType().equals(ConstantDescs.CD_void)) {
        cast(code, returned, type.returnType());
        code.return_(TypeKind.from(type.returnType()));
        return;
      }
      switch (TypeKind.from(returned).slotSize()) {
        case 1 -> code.pop();
        case 2 -> code.pop2();
        default -> {}
      }
      code.return_();
    }

    private static void cast(CodeBuilder code, ClassDesc from, ClassDesc to) {
      if (!to.isPrimitive() && !to.equals(ConstantDescs.CD_Object) && !to.equals(from)) {
        code.checkcast(to);
      }
    }
  }
}
