package io.heddle.internal.jdk;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Modifier;
import java.security.ProtectionDomain;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one place through which the JDK makes virtual threads, changed so that those for which nobody has asked for a
 * scheduler get one from us.
 */
public final class ThreadBuilderPatch {
  /*
   * Into ThreadBuilders.newVirtualThread(Executor scheduler, String name, …) goes, at its head,
   *   if (scheduler == null) scheduler = (Executor) HeddleDoor.chooser.apply(name);
   * A class of java.base cannot see ours, so HeddleDoor is defined there, with one field of a JDK type.
   */
  private static final String BUILDERS = "java.lang.ThreadBuilders";
  private static final String METHOD = "newVirtualThread";
  private static final ClassDesc HOLDER = ClassDesc.of("java.lang.HeddleDoor");
  private static final ClassDesc EXECUTOR = ClassDesc.of(Executor.class.getName());
  private static final ClassDesc FUNCTION = ClassDesc.of(Function.class.getName());
  private static final String FIELD = "chooser";
  private static final MethodTypeDesc TYPE =
      MethodTypeDesc.of(
          ClassDesc.of("java.lang.Thread"),
          EXECUTOR,
          ConstantDescs.CD_String,
          ConstantDescs.CD_int,
          ClassDesc.of("java.lang.Runnable"));

  private ThreadBuilderPatch() {}

  /**
   * From now on {@code chooser} is asked, with the name of the thread to be made or null, on the thread that makes it. Null
   * leaves it to the JDK. It must not throw.
   *
   * @throws ReflectiveOperationException if this is not the JDK we know; then its threads are made as before
   */
  public static void open(
      Instrumentation instrumentation, Function<@Nullable String, @Nullable Executor> chooser)
      throws ReflectiveOperationException {
    MethodHandles.Lookup lookup =
        MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
    Class<?> builders = lookup.findClass(BUILDERS);
    Class<?> holder = lookup.defineClass(holder());
    lookup.findStaticVarHandle(holder, FIELD, Function.class).setVolatile(chooser);
    transform(instrumentation, builders);
  }

  private static void transform(Instrumentation instrumentation, Class<?> builders)
      throws ReflectiveOperationException {
    Widening widening = new Widening(builders);
    instrumentation.addTransformer(widening, true);
    try {
      instrumentation.retransformClasses(builders);
    } catch (UnmodifiableClassException e) {
      throw new ReflectiveOperationException(BUILDERS + " cannot be changed", e);
    } finally {
      boolean _ = instrumentation.removeTransformer(widening);
    }
    if (!widening.done) {
      throw new NoSuchMethodException(BUILDERS + "." + METHOD + TYPE.descriptorString());
    }
  }

  private static byte[] holder() {
    return ClassFile.of()
        .build(
            HOLDER, clazz -> clazz.withField(FIELD, FUNCTION, Modifier.STATIC | Modifier.VOLATILE));
  }

  private static final class Widening implements ClassFileTransformer {
    private final Class<?> target;
    boolean done;

    Widening(Class<?> target) {
      this.target = target;
    }

    @Override
    public byte @Nullable [] transform(
        @Nullable Module module,
        @Nullable ClassLoader loader,
        String name,
        @Nullable Class<?> type,
        @Nullable ProtectionDomain domain,
        byte[] bytes) {
      if (type != target) {
        return null;
      }
      ClassFile file = ClassFile.of();
      ClassModel model = file.parse(bytes);
      if (model.methods().stream().noneMatch(Widening::isTheOne)) {
        return null;
      }
      byte[] widened =
          file.transformClass(
              model,
              ClassTransform.transformingMethodBodies(
                  Widening::isTheOne, CodeTransform.ofStateful(HeadInsertion::new)));
      done = true;
      return widened;
    }

    private static boolean isTheOne(MethodModel method) {
      return method.methodName().equalsString(METHOD)
          && method.methodTypeSymbol().equals(TYPE)
          && method.flags().has(AccessFlag.STATIC);
    }
  }

  private static final class HeadInsertion implements CodeTransform {
    @Override
    public void atStart(CodeBuilder code) {
      code.aload(0)
          .ifThen(
              Opcode.IFNULL,
              isNull ->
                  isNull
                      .getstatic(HOLDER, FIELD, FUNCTION)
                      .aload(1)
                      .invokeinterface(
                          FUNCTION,
                          "apply",
                          MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_Object))
                      .checkcast(EXECUTOR)
                      .astore(0));
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      code.with(element);
    }
  }
}
