package io.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link ClassFileEdit} beside the JDK's class-file API. */
class ClassFileEditTest {
  private static final String SYSTEM = "java/lang/System";

  /** The class whose calls the test replaces. */
  static final class ClockCalls implements LongSupplier {
    @Override
    public long getAsLong() {
      long sum = 0;
      for (int i = 0; i < 4; i++) {
        sum +=
            switch (i) {
              case 0 -> System.nanoTime();
              case 1 -> 20;
              default -> i == 2 ? 300 : System.currentTimeMillis();
            };
      }
      return sum;
    }

    static long one() {
      return 1;
    }
  }

  @Test
  void replacedCallsAreMade() throws Exception {
    ClassFileEdit edit = new ClassFileEdit(bytes(ClockCalls.class));
    int replaced = 0;
    for (int i = 0; i < edit.count(); i++) {
      if (edit.isCall(i, ClassFileEdit.INVOKE_STATIC, SYSTEM, null, "()J")) {
        assertThat(edit.nameOfCall(i)).isIn("nanoTime", "currentTimeMillis");
        edit.callStatic(i, ClockCalls.class.getName().replace('.', '/'), "one", edit.typeOfCall(i));
        replaced++;
      }
    }
    assertThat(replaced).isEqualTo(2);
    byte[] edited = edit.toBytes();
    assertThat(ClassFile.of().verify(edited)).isEmpty();
    assertThat(new ClassFileEdit(edited).refersTo(SYSTEM)).isTrue(); // constants stay
    LongSupplier sum =
        (LongSupplier)
            MethodHandles.lookup()
                .defineHiddenClass(edited, true)
                .lookupClass()
                .getDeclaredConstructor()
                .newInstance();
    assertThat(sum.getAsLong()).isEqualTo(322);
  }

  /** Among them classes with switches, wide instructions, and long and double constants. */
  @ParameterizedTest
  @Tag("jdks")
  @ValueSource(
      classes = {
        ClockCalls.class,
        String.class,
        Thread.class,
        java.math.BigInteger.class,
        java.util.Formatter.class,
        java.util.concurrent.ForkJoinPool.class,
        java.util.regex.Pattern.class
      })
  void instructionsAreThoseThatTheClassFileApiFinds(Class<?> type) throws Exception {
    byte[] file = bytes(type);
    List<String> calls = new ArrayList<>();
    int count = 0;
    ClassModel model = ClassFile.of().parse(file);
    for (MethodModel method : model.methods()) {
      if (method.code().isPresent()) {
        for (var element : method.code().get()) {
          if (element instanceof Instruction) {
            count++;
          }
          if (element instanceof InvokeInstruction call && call.opcode() == Opcode.INVOKESTATIC) {
            calls.add(call.name().stringValue() + call.type().stringValue());
          }
        }
      }
    }
    ClassFileEdit edit = new ClassFileEdit(file);
    assertThat(edit.count()).isEqualTo(count);
    List<String> found = new ArrayList<>();
    for (int i = 0; i < edit.count(); i++) {
      if (edit.endsWith(i, ClassFileEdit.INVOKE_STATIC)) {
        found.add(edit.nameOfCall(i) + edit.typeOfCall(i));
      }
    }
    assertThat(found).isEqualTo(calls).isNotEmpty();
    assertThat(edit.toBytes()).isEqualTo(file);
    assertThat(edit.refersTo(model.thisClass().asInternalName())).isTrue();
    assertThat(edit.refersTo("java/lang/Nothing")).isFalse();
  }

  @Test
  void truncatedFileIsRefused() throws IOException {
    byte[] file = bytes(ClockCalls.class);
    assertThatThrownBy(() -> new ClassFileEdit(Arrays.copyOf(file, file.length / 2)))
        .isInstanceOf(IllegalStateException.class);
  }

  private static byte[] bytes(Class<?> type) throws IOException {
    String name = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
    try (InputStream in = type.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }
}
