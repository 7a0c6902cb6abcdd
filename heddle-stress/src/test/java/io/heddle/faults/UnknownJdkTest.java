package io.heddle.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import io.heddle.testkit.PatchedJdk;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A JDK with unknown internals: the agent reports that, and the program runs as if the agent were
 * absent.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnknownJdkTest {
  private static final String FIELD = "runContinuation";

  @TempDir private Path dir;
  private PatchedJdk jdk;

  @BeforeEach
  void unchanged() {
    jdk = new PatchedJdk(dir.resolve("patch"));
  }

  @Test
  void virtualThreadWithAnotherFieldIsNotAdopted() throws Exception {
    jdk.renameFields(FIELD, "java/lang/VirtualThread");
    ChildJvm.Result result = run("=adopt");
    assertThat(result.out()).as(result.err()).isEqualTo("read 7\n");
    assertThat(result.exitCode()).isZero();
    assertThat(result.err())
        .contains("heddle: ")
        .contains("the program runs without")
        .contains(FIELD);
  }

  @Test
  void libraryRefusesToStartWithOneSentence() throws Exception {
    jdk.renameFields(FIELD, "java/lang/VirtualThread");
    ChildJvm.Result result = run("", "library");
    assertThat(result.out()).isEqualTo("read 7\n");
    assertThat(result.exitCode()).isOne();
    assertThat(result.err())
        .contains("Heddle does not know the virtual threads of this Java")
        .contains("it is made for JDK 25")
        .contains(FIELD);
  }

  /** The library works, and sockets wait as in the JDK. */
  @Test
  void socketsWithAnotherPollCallAreLeftToTheJdk() throws Exception {
    ClassDesc poller = ClassDesc.of("sun.nio.ch.Poller");
    MethodTypeDesc stop = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
    jdk.change(
        "sun/nio/ch/NativeDispatcher",
        ClassTransform.endHandler(
            clazz ->
                clazz.withMethodBody(
                    "anotherCall",
                    stop,
                    ClassFile.ACC_STATIC,
                    code -> code.iload(0).invokestatic(poller, "stopPoll", stop).return_())));
    ChildJvm.Result result = run("", "library");
    assertThat(result.out()).as(result.err()).isEqualTo("read 7\nlibrary works\n");
    assertThat(result.exitCode()).isZero();
    assertThat(result.err())
        .contains(
            "heddle: the socket poller is off: sun.nio.ch.NativeDispatcher calls the poller 2"
                + " times, and not 1;");
  }

  private ChildJvm.Result run(String options, String... args) throws Exception {
    return FaultyJvm.in(dir)
        .flags(jdk.flags())
        .flags("-javaagent:" + HeddleJar.agentIn(dir) + options)
        .run(Stranger.class, args);
  }
}
