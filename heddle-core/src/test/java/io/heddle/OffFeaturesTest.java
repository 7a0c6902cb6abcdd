package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import child.JdkDeadlock;
import io.heddle.internal.jdk.JdkFeature;
import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import io.heddle.testkit.PatchedJdk;
import java.io.File;
import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A feature that does not fit the JDK is off alone, and one line names it. Each test patches {@code
 * java.base} in a child JVM.
 *
 * <p>Two features have no test here. The owners of locks are read from a field without which the
 * JVM itself does not start. Exploring needs nothing of its own: on a known JDK it is as good as
 * weaving and the test clock are.
 */
@HangGuard
@Tag("jdks")
class OffFeaturesTest {
  private static final ClassDesc POLLER = ClassDesc.of("sun.nio.ch.Poller");
  private static final String VIRTUAL_THREAD = "java/lang/VirtualThread";

  /** The last release in which a join waits at a latch. */
  private static final int LAST_WITH_JOIN_LATCH = 26;

  @TempDir private Path dir;
  private PatchedJdk jdk;

  @BeforeEach
  void unchanged() {
    jdk = new PatchedJdk(dir.resolve("patch"));
  }

  @SideBySide
  @Test
  void adoptionWorksWithoutTimedParks() throws Exception {
    jdk.renameMethods("schedule", VIRTUAL_THREAD, VIRTUAL_THREAD + "$DelayedTaskSchedulers");
    ChildJvm.Result result = adopted("=adopt");
    assertThat(result.out()).contains("start heddle-shared", "locks true");
    assertOff(result, JdkFeature.TIMED_PARKS, JdkFeature.OWN_MOUNT); // which checks this code too
  }

  @SideBySide
  @Test
  void adoptionWorksWithoutSocketPoller() throws Exception {
    MethodTypeDesc select =
        MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int, ConstantDescs.CD_long);
    jdk.change(
        "sun/nio/ch/NioSocketImpl",
        ClassTransform.endHandler(
            clazz ->
                clazz.withMethodBody(
                    "anotherCall",
                    select,
                    ClassFile.ACC_STATIC,
                    code ->
                        code.iload(0)
                            .lload(1)
                            .invokestatic(POLLER, "pollSelector", select)
                            .return_())));
    ChildJvm.Result result = adopted("=adopt");
    assertThat(result.out()).contains("start heddle-shared", "socket 42");
    assertThat(result.err().lines())
        .singleElement()
        .asString()
        .isEqualTo(
            "heddle: the socket poller is off: sun.nio.ch.NioSocketImpl calls the poller 4 times,"
                + " and not 3; goroutines wait for sockets in the JDK's pollers");
  }

  @SideBySide
  @Test
  void adoptionWorksWithoutOwnMount() throws Exception {
    jdk.change(
        VIRTUAL_THREAD,
        ClassTransform.transformingMethodBodies(
            method -> method.methodName().equalsString("afterYield"),
            new CodeTransform() {
              @Override
              public void atStart(CodeBuilder code) {
                code.nop();
              }

              @Override
              public void accept(CodeBuilder code, CodeElement element) {
                code.with(element);
              }
            }));
    ChildJvm.Result result = adopted("=adopt,preempt");
    assertThat(result.out()).contains("start heddle-shared", "locks true", "socket 42");
    assertOff(result, JdkFeature.OWN_MOUNT);
  }

  @SideBySide
  @Test
  void goroutinesRunWithoutStateWrites() throws Exception {
    jdk.renameMethods(
        "setThreadContainer",
        "java/lang/Thread",
        "java/lang/BaseVirtualThread",
        VIRTUAL_THREAD,
        "java/lang/ThreadBuilders$BoundVirtualThread");
    ChildJvm.Result result = ChildJvm.onClassPath().flags(jdk.flags()).run("child.Workloads", "3");
    ChildJvm.Result known = ChildJvm.onClassPath().run("child.Workloads", "3");
    assertThat(result.out()).as(result.err()).isEqualTo(known.out());
    assertOff(result, JdkFeature.STATE_WRITES);
    ChildJvm.Result adopted = adopted("=adopt");
    assertThat(adopted.out()).contains("start heddle-shared", "locks true", "socket 42");
    assertOff(adopted, JdkFeature.STATE_WRITES);
  }

  /** Heddle cannot define a class that exists. */
  @SideBySide
  @Test
  void othersWorkWithoutAdoption() throws Exception {
    ChildJvm.Result result = occupied("java.lang.HeddleThreadChooser", "child.Adopted");
    assertThat(result.out()).contains("start ForkJoinPool", "locks true", "socket 42");
    assertOff(result, JdkFeature.ADOPTION);
  }

  @SideBySide
  @Test
  void adoptionWorksWithoutWeaving() throws Exception {
    ChildJvm.Result result = occupied("java.lang.HeddleYield", "child.Adopted");
    assertThat(result.out()).contains("start heddle-shared", "locks true", "socket 42");
    assertOff(result, JdkFeature.WEAVING);
  }

  @SideBySide
  @Test
  void bubbleWorksWithoutTestClock() throws Exception {
    ChildJvm.Result result = occupied("java.lang.HeddleClock", "child.TimedBubble");
    assertThat(result.out()).as(result.err()).isEqualTo("null 3\n");
    assertOff(result, JdkFeature.CLOCK);
  }

  @SideBySide
  @Test
  void programRunsWithoutWatchMode() throws Exception {
    String pool = "java/util/concurrent/ForkJoinPool";
    jdk.renameFields("queues", pool, pool + "$WorkQueue", "java/util/concurrent/ForkJoinTask");
    ChildJvm.Result result = adopted("=watch");
    assertThat(result.out()).contains("start ForkJoinPool", "socket 42");
    assertOff(result, JdkFeature.WATCH);
  }

  @SideBySide
  @Test
  void locksAreExaminedWithoutMonitors() throws Exception {
    jdk.renameMethods("lockObject", "jdk/internal/vm/ThreadSnapshot$ThreadLock");
    assertThat(deadlock("locks").exitCode()).isEqualTo(2);
    ChildJvm.Result monitors = deadlock("monitors", "end");
    assertThat(monitors.out()).as(monitors.err()).isEqualTo("both wait\n");
    assertOff(monitors, JdkFeature.MONITOR_OWNERS);
    assertThat(monitors.err()).contains("lockObject");
  }

  @SideBySide
  @Test
  void monitorsAreExaminedWithoutJoins() throws Exception {
    assumeThat(Runtime.version().feature()).isLessThanOrEqualTo(LAST_WITH_JOIN_LATCH);
    jdk.renameFields("sync", "java/util/concurrent/CountDownLatch");
    assertThat(deadlock("monitors").exitCode()).isEqualTo(2);
    ChildJvm.Result joins = deadlock("joins", "end");
    assertThat(joins.out()).as(joins.err()).isEqualTo("both wait\n");
    assertOff(joins, JdkFeature.JOINS);
    assertThat(joins.err()).contains("sync");
  }

  /** Heddle cannot run, and says so before it makes a scheduler. */
  @SideBySide
  @Test
  void carrierThatCannotBeExtendedIsNamed() throws Exception {
    jdk.change(
        "jdk/internal/misc/CarrierThread",
        (clazz, element) -> {
          if (element instanceof AccessFlags flags) {
            clazz.withFlags(flags.flagsMask() | ClassFile.ACC_FINAL);
          } else {
            clazz.with(element);
          }
        });
    ChildJvm.Result library = ChildJvm.onClassPath().flags(jdk.flags()).run("child.Hello");
    assertThat(library.exitCode()).as(library.toString()).isOne();
    assertThat(library.err())
        .contains("Heddle does not know the virtual threads of this Java", "CarrierThread");
    ChildJvm.Result agent = adopted("=adopt");
    assertThat(agent.out()).contains("start ForkJoinPool", "socket 42");
    assertThat(agent.err().lines())
        .singleElement()
        .asString()
        .contains("Heddle does not know the virtual threads", "the program runs without it");
  }

  @SideBySide
  @Test
  void lineIsWrittenBeforeTheProgramEnds() throws Exception {
    ChildJvm.Result result = ChildJvm.onClassPath().run("child.SlowNotice");
    assertThat(result.err())
        .isEqualToIgnoringNewLines(JdkFeature.CLOCK.offBecause("this is a test"));
  }

  private static void assertOff(ChildJvm.Result result, JdkFeature... features) {
    String[] starts =
        Stream.of(features)
            .map(feature -> "heddle: " + feature.title() + " is off: ")
            .toArray(String[]::new);
    assertThat(result.err().lines().map(line -> line.replaceFirst("(?<= is off: ).*", "")))
        .as(result.err())
        .containsExactlyInAnyOrder(starts);
  }

  private ChildJvm.Result adopted(String options) throws Exception {
    return run(ChildJvm.bare(), options, "child.Adopted");
  }

  /** Runs {@code main} with all features, in a JDK that has {@code holder} already. */
  private ChildJvm.Result occupied(String holder, String main) throws Exception {
    jdk.add(holder.replace('.', '/'));
    Path toucher = HeddleJar.agent("child.ClassToucher").pack(dir.resolve("toucher.jar"));
    return run(
        ChildJvm.bare().flags("-javaagent:" + toucher + "=" + holder), "=adopt,preempt", main);
  }

  private ChildJvm.Result run(ChildJvm jvm, String options, String main) throws Exception {
    Path jar = HeddleJar.agentIn(dir);
    ChildJvm.Result result =
        jvm.flags(jdk.flags())
            .flags("-javaagent:" + jar + options)
            .flags("-cp", ChildJvm.testClasses() + File.pathSeparator + jar)
            .run(main);
    assertThat(result.exitCode()).as(result.toString()).isZero();
    return result;
  }

  private ChildJvm.Result deadlock(String... args) throws Exception {
    return ChildJvm.onClassPath()
        .flags(jdk.flags())
        .flags("-Dheddle.deadlock=exit")
        .run(JdkDeadlock.class, args);
  }
}
