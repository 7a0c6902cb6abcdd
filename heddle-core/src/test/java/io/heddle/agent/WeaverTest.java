package io.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.HangGuard;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.DiscontinuedInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bytecode shapes that javac rarely or never emits: they are woven, verify, behave the same, and
 * reach yield checks.
 */
@HangGuard
class WeaverTest {
  private static final ClassDesc SAMPLE = ClassDesc.of("sample.Sample");
  private static final ClassDesc STRINGS = ClassDesc.of("java.lang.StringBuilder");
  private static final MethodTypeDesc INT_TO_INT =
      MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int);
  private static final MethodTypeDesc INT_TO_VOID =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
  private static final int MUCH = 100_000;

  private final List<String> leftOut = new ArrayList<>();
  private final Weaver weaver =
      new Weaver(
          ClassDesc.of(CountingYield.class.getName()),
          (method, why) -> leftOut.add(method + ": " + why));

  @BeforeEach
  void forget() {
    long _ = CountingYield.takeCount();
  }

  /**
   * {@code do x += n while (--n > 0)}: the head of the loop is the first instruction of the method.
   */
  @Test
  void loopAtTheStartOfTheMethodIsWoven() throws Exception {
    assertSame(code -> loop(code.newBoundLabel(), code));
  }

  private static void loop(Label head, CodeBuilder code) {
    code.iinc(0, -1).iload(0).ifgt(head).iload(0).ireturn();
  }

  @Test
  void longBackwardJumpIsWoven() throws Exception {
    assertSame(
        code -> {
          Label end = code.newLabel();
          Label head = code.newBoundLabel();
          code.iload(0).ifle(end).iinc(0, -1).goto_w(head);
          code.labelBinding(end).iload(0).ireturn();
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void backwardSwitchIsWoven(boolean table) throws Exception {
    assertSame(
        code -> {
          Label end = code.newLabel();
          code.iconst_0().istore(1);
          Label head = code.newBoundLabel();
          code.iinc(0, -1).iinc(1, 3).iload(0);
          List<SwitchCase> cases = List.of(SwitchCase.of(0, end), SwitchCase.of(-1, end));
          if (table) {
            code.tableswitch(head, cases);
          } else {
            code.lookupswitch(head, cases);
          }
          code.labelBinding(end).iload(1).ireturn();
        });
  }

  /** The operand stack is never empty. */
  @Test
  void loopWithNonEmptyStackIsWoven() throws Exception {
    assertSame(
        code -> {
          code.ldc(7L).ldc("text").iconst_5();
          Label head = code.newBoundLabel();
          code.iinc(0, -1).iconst_1().iadd().iload(0).ifgt(head);
          code.istore(1).pop().pop2().iload(1).ireturn();
        });
  }

  /** An object that is allocated but not yet constructed is on the stack and in a variable. */
  @Test
  void loopBeforeConstructorCallIsWoven() throws Exception {
    assertSame(
        code -> {
          code.new_(STRINGS).dup().astore(1);
          Label head = code.newBoundLabel();
          code.iinc(0, -1).iload(0).ifgt(head);
          code.invokespecial(
              STRINGS, ConstantDescs.INIT_NAME, MethodTypeDesc.of(ConstantDescs.CD_void));
          code.iload(0).ireturn();
        });
  }

  /** The head of the loop allocates an object, which is not yet constructed at a later jump. */
  @Test
  void loopThatStartsWithNewIsWoven() throws Exception {
    assertSame(
        code -> {
          Label head = code.newBoundLabel();
          code.new_(STRINGS).dup();
          code.iload(0).ifThenElse(yes -> yes.iconst_1(), no -> no.iconst_2());
          code.invokespecial(STRINGS, ConstantDescs.INIT_NAME, INT_TO_VOID).pop();
          loop(head, code);
        });
  }

  /**
   * {@code try { do … while } catch}: the guarded range starts with the method, and so does the
   * loop.
   */
  @Test
  void methodGuardedFromItsStartIsWoven() throws Exception {
    assertSame(
        code -> {
          Label start = code.newBoundLabel();
          loop(code.newBoundLabel(), code);
          Label end = code.newBoundLabel();
          code.exceptionCatchAll(start, end, end);
          code.pop().iconst_m1().ireturn();
        });
  }

  /**
   * {@code handler: n--; try { if (n > 0) throw null; return n } catch (…) goto handler}, without
   * that goto.
   */
  @Test
  void handlerBeforeItsGuardedRangeIsWoven() throws Exception {
    assertSame(
        code -> {
          Label start = code.newLabel();
          Label handler = code.newLabel();
          Label end = code.newLabel();
          Label done = code.newLabel();
          code.aconst_null();
          code.labelBinding(handler).pop().iinc(0, -1);
          code.labelBinding(start).iload(0).ifle(done).aconst_null().athrow();
          code.labelBinding(end);
          code.exceptionCatchAll(start, end, handler);
          code.labelBinding(done).iload(0).ireturn();
        });
  }

  /** Frames have long and double variables, and gaps, before the counter. */
  @Test
  void wideVariablesAndGapsAreWoven() throws Exception {
    assertSame(
        code -> {
          code.lconst_1().lstore(3).dconst_1().dstore(300);
          Label head = code.newBoundLabel();
          code.lload(3).ldc(3L).lmul().lstore(3).iinc(0, -1).iload(0).ifgt(head);
          code.lload(3).l2i().ireturn();
        });
  }

  @ParameterizedTest
  @ValueSource(
      ints = {ClassFile.JAVA_5_VERSION, ClassFile.JAVA_6_VERSION, ClassFile.JAVA_8_VERSION})
  void oldClassVersionsAreWoven(int version) throws Exception {
    assertSame(version, code -> loop(code.newBoundLabel(), code));
  }

  /** A method without a call or loop is not woven. */
  @Test
  void getterIsNotWoven() {
    assertThat(
            weaver.weave(sample(ClassFile.latestMajorVersion(), code -> code.iload(0).ireturn())))
        .isNull();
    assertThat(leftOut).isEmpty();
  }

  @Test
  void subroutinesAreNotWoven() {
    byte[] bytes =
        sample(
            ClassFile.JAVA_5_VERSION,
            code -> {
              Label sub = code.newLabel();
              Label head = code.newBoundLabel();
              code.with(DiscontinuedInstruction.JsrInstruction.of(sub));
              code.iinc(0, -1).iload(0).ifgt(head).iload(0).ireturn();
              code.labelBinding(sub).astore(1);
              code.with(DiscontinuedInstruction.RetInstruction.of(1));
            });
    assertThat(weaver.weave(bytes)).isNull();
    assertThat(leftOut).singleElement().asString().contains("sample.Sample.run", "subroutines");
  }

  /**
   * At a little less than 8000 bytes, weaving would make the method too long for the JVM to
   * compile.
   */
  @ParameterizedTest
  @ValueSource(ints = {7_990, 32_750, 60_000})
  void tooLongMethodIsNotWoven(int length) throws Exception {
    byte[] bytes = sample(ClassFile.latestMajorVersion(), code -> longLoop(length, code));
    assertThat(weaver.weave(bytes)).isNull();
    assertThat(leftOut).singleElement().asString().contains("sample.Sample.run", "long");
  }

  @ParameterizedTest
  @ValueSource(ints = {7_800, 8_100})
  void longMethodIsWoven(int length) throws Exception {
    assertSame(code -> longLoop(length, code));
  }

  @Test
  @Tag("full")
  void veryLongMethodIsWoven() throws Exception {
    assertSame(code -> longLoop(32_000, code));
  }

  private static void longLoop(int length, CodeBuilder code) {
    Label end = code.newLabel();
    Label head = code.newBoundLabel();
    code.iload(0).ifle(end);
    for (int i = 0; i < length - 20; i++) {
      code.nop();
    }
    code.iinc(0, -1).goto_(head);
    code.labelBinding(end).iload(0).ireturn();
  }

  @Test
  void debugInformationIsKept() {
    byte[] bytes =
        sample(
            ClassFile.latestMajorVersion(),
            code -> {
              Label start = code.newBoundLabel();
              code.lineNumber(11).iconst_0().istore(1);
              Label head = code.newBoundLabel();
              code.lineNumber(12).iinc(0, -1);
              code.lineNumber(13).iload(0).ifgt(head);
              code.lineNumber(14).iload(0).ireturn();
              code.localVariable(1, "local", ConstantDescs.CD_int, start, code.newBoundLabel());
            });
    assertThat(debugElements(Objects.requireNonNull(weaver.weave(bytes))))
        .isEqualTo(debugElements(bytes))
        .hasSize(5);
  }

  private static List<String> debugElements(byte[] bytes) {
    List<String> found = new ArrayList<>();
    for (var element : ClassFile.of().parse(bytes).methods().getFirst().code().orElseThrow()) {
      switch (element) {
        case LineNumber line -> found.add("line " + line.line());
        case LocalVariable local ->
            found.add(local.name() + " " + local.slot() + " " + local.type());
        default -> {}
      }
    }
    return found;
  }

  private void assertSame(Consumer<CodeBuilder> body) throws Exception {
    assertSame(ClassFile.latestMajorVersion(), body);
  }

  private void assertSame(int version, Consumer<CodeBuilder> body) throws Exception {
    byte[] plain = sample(version, body);
    byte[] woven = Objects.requireNonNull(weaver.weave(plain));
    assertThat(leftOut).isEmpty();
    if (version
        >= ClassFile
            .JAVA_6_VERSION) { // only the JVM's verifier, at run time, supports older versions
      assertThat(ClassFile.of().verify(woven)).isEmpty();
    }
    assertThat(run(woven, MUCH)).isEqualTo(run(plain, MUCH));
    // One check when the loop is entered, and one per strip.
    assertThat(CountingYield.takeCount()).isBetween(1L + MUCH / 1_100, 2L + MUCH);
  }

  private static int run(byte[] bytes, int n) throws Exception {
    Class<?> type = new WovenLoader(Map.of("sample.Sample", bytes)).loadClass("sample.Sample");
    return (int) type.getMethod("run", int.class).invoke(null, n);
  }

  private static byte[] sample(int version, Consumer<CodeBuilder> body) {
    return ClassFile.of()
        .build(
            SAMPLE,
            clazz ->
                clazz
                    .withVersion(version, 0)
                    .withFlags(Modifier.PUBLIC | ClassFile.ACC_SUPER)
                    .withMethodBody("run", INT_TO_INT, Modifier.PUBLIC | Modifier.STATIC, body));
  }
}
