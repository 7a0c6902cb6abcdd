package io.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import child.MountWeaver;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The own mount is used with code of the JDK that was read, and with no other. */
@Tag("jdks")
class KnownMountCodeTest {
  /** On a new build of the JDK: see the head of KnownMountCode. */
  @Test
  void codeOfThisJdkIsKnown() throws Exception {
    List<byte[]> classFiles = MountedClasses.read();
    String whatToDo =
        "This build is not in KnownMountCode. Follow the steps at the head of that class. Its"
            + " line:\n"
            + PrintMountedCode.line();
    assertThat(KnownMountCode.hasChecksum(MountedClasses.checksum(classFiles)))
        .as(whatToDo)
        .isTrue();
    assertThat(isKnown(classFiles)).as(whatToDo).isTrue();
  }

  @Test
  void fingerprintOfAnotherReleaseDoesNotCount() throws Exception {
    int fingerprint = MountedCode.fingerprint(MountedClasses.read());
    assertThat(KnownMountCode.hasFingerprint(24, fingerprint)).isFalse();
  }

  /** A runtime image without debugging information is made by {@code jlink --strip-debug}. */
  @Test
  void fingerprintDependsOnNoDebuggingInformation() throws Exception {
    ClassFile stripping =
        ClassFile.of(
            ClassFile.DebugElementsOption.DROP_DEBUG,
            ClassFile.LineNumbersOption.DROP_LINE_NUMBERS,
            ClassFile.ConstantPoolSharingOption.NEW_POOL);
    List<byte[]> stripped = new ArrayList<>();
    for (byte[] bytes : MountedClasses.read()) {
      ClassTransform noChange = ClassTransform.ACCEPT_ALL;
      stripped.add(stripping.transformClass(stripping.parse(bytes), noChange));
    }
    assertThat(MountedClasses.checksum(stripped))
        .isNotEqualTo(MountedClasses.checksum(MountedClasses.read()));
    assertThat(isKnown(stripped)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"mount", "unmount", "afterYield", "unpark", "interrupt", "setState"})
  void changeOfAMethodThatMountsIsSeen(String method) throws Exception {
    assertThat(isKnown(withChanged(method))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"toString", "schedule"}) // the agent of Heddle itself changes schedule
  void changeOfAnotherMethodIsNot(String method) throws Exception {
    List<byte[]> changed = withChanged(method);
    assertThat(MountedClasses.checksum(changed))
        .isNotEqualTo(MountedClasses.checksum(MountedClasses.read()));
    assertThat(isKnown(changed)).isTrue();
  }

  @Test
  void newFieldIsSeen() throws Exception {
    ClassTransform newField =
        ClassTransform.endHandler(
            type -> type.withField("ofAnAgent", ClassDesc.of("java.lang.Object"), 0));
    List<byte[]> changed = new ArrayList<>(MountedClasses.read());
    ClassFile file = ClassFile.of();
    changed.set(0, file.transformClass(file.parse(changed.getFirst()), newField));
    assertThat(isKnown(changed)).isFalse();
  }

  /** The classes, with a method of {@code VirtualThread} changed. */
  private static List<byte[]> withChanged(String method) throws Exception {
    List<byte[]> changed = new ArrayList<>(MountedClasses.read());
    changed.set(0, MountWeaver.weave(method, changed.getFirst()));
    return changed;
  }

  private static boolean isKnown(List<byte[]> classFiles) {
    return KnownMountCode.hasFingerprint(
        Runtime.version().feature(), MountedCode.fingerprint(classFiles));
  }
}
