package io.heddle.internal.jdk;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Patches the method through which the JDK makes all virtual threads. A thread for which the
 * program did not choose a scheduler then gets its executor from Heddle.
 */
public final class ThreadBuilderPatch {
  /*
   * The patch inserts at the head of ThreadBuilders.newVirtualThread(Executor scheduler, String
   * name, …):
   *   if (scheduler == null) scheduler = (Executor) HeddleThreadChooser.chooser.apply(name);
   * A class of java.base cannot see Heddle's classes. HeddleThreadChooser is therefore defined in
   * java.lang, with one field of the JDK's type Function. Heddle writes its chooser there.
   */
  private static final String BUILDERS = "java.lang.ThreadBuilders";
  private static final String METHOD = "newVirtualThread";
  private static final ClassDesc HOLDER = ClassDesc.of("java.lang.HeddleThreadChooser");
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
   * Applies the patch.
   *
   * @param chooser called on the thread that makes a virtual thread, with the name of the new
   *     thread or null. The function returns the executor of the new thread, or null for the JDK's
   *     choice, and must not throw.
   * @throws ReflectiveOperationException if this is a JDK with other internals; then threads are
   *     made as before
   */
  public static void open(
      ClassChanges classes, Function<@Nullable String, @Nullable Executor> chooser)
      throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = JdkLookup.inJavaLang();
    Class<?> holder = lookup.defineClass(holder());
    lookup.findStaticVarHandle(holder, FIELD, Function.class).setVolatile(chooser);
    ClassTransform change =
        HeadInsertion.of(
            BUILDERS + "." + METHOD + TYPE.descriptorString(),
            ThreadBuilderPatch::isTarget,
            ThreadBuilderPatch::choose);
    classes.apply(lookup, HOLDER, Map.of(BUILDERS, change));
  }

  private static byte[] holder() {
    return ClassFile.of()
        .build(
            HOLDER, clazz -> clazz.withField(FIELD, FUNCTION, Modifier.STATIC | Modifier.VOLATILE));
  }

  private static boolean isTarget(MethodModel method) {
    return method.methodName().equalsString(METHOD)
        && method.methodTypeSymbol().equals(TYPE)
        && method.flags().has(AccessFlag.STATIC);
  }

  private static void choose(CodeBuilder code) {
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
}
