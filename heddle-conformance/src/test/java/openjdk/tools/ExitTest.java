package openjdk.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import openjdk.VirtualTest;
import openjdk.World;
import openjdk.child.WorldJvm;
import org.junit.jupiter.api.Test;

/**
 * The start and end of programs with virtual threads: ShutdownHook.java,
 * TraceVirtualThreadLocals.java, and ThreadAPI.java without continuations.
 */
class ExitTest extends VirtualTest {
  @Test
  void virtualThreadsDoNotKeepAProgramAlive() throws Exception {
    assertThat(run("outlived").out()).isEqualTo("main ends\n");
  }

  @Test
  void virtualThreadMayEndTheProgram() throws Exception {
    ChildJvm.Result result = WorldJvm.inThisWorld().run("openjdk.child.Ends", "exit");
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.out()).isEqualTo("hook\nvirtual hook\n");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void uncaughtExceptionIsPrintedAndTheProgramContinues() throws Exception {
    ChildJvm.Result result = run("throws");
    assertThat(result.out()).isEqualTo("goes on\n");
    assertThat(result.err().lines().findFirst())
        .contains("Exception in thread \"duke\" java.lang.IllegalStateException: told");
    assertThat(result.err()).contains("at openjdk.child.Ends");
  }

  @Test
  void lateDefaultHandlerIsCalled() throws Exception {
    assertThat(run("late").out()).isEqualTo("handled told\n");
  }

  @Test
  void threadLocalsAreTracedOnRequest() throws Exception {
    ChildJvm.Result result =
        WorldJvm.inThisWorld("-Djdk.traceVirtualThreadLocals=true")
            .run("openjdk.child.Ends", "locals");
    assertThat(result.exitCode()).isZero();
    String all = result.out() + result.err();
    assertThat(all).contains(World.current().carriers()).contains("Ends.locals");
    assertThat(all.lines().filter(line -> line.startsWith("VirtualThread["))).hasSize(1);
  }

  @Test
  void oneProcessorIsEnough() throws Exception {
    ChildJvm.Result result =
        WorldJvm.inThisWorld("-XX:ActiveProcessorCount=1").run("openjdk.child.Ends", "many");
    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(result.out()).isEqualTo("1000\n");
    assertThat(result.err()).isEmpty();
  }

  /**
   * Virtual threads bound to platform threads: under adoption the agent reports that it can do
   * nothing, and the program runs.
   */
  @Test
  void withoutContinuations() throws Exception {
    ChildJvm.Result result =
        WorldJvm.inThisWorld("-XX:+UnlockExperimentalVMOptions", "-XX:-VMContinuations")
            .run("openjdk.child.Ends", "many");
    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(result.out()).isEqualTo("1000\n");
    if (World.current() == World.ADOPTED) {
      assertThat(result.err().lines()).singleElement().asString().startsWith("heddle: ");
    }
  }

  private static ChildJvm.Result run(String what) throws Exception {
    ChildJvm.Result result = WorldJvm.inThisWorld().run("openjdk.child.Ends", what);
    assertThat(result.exitCode()).as(result.toString()).isZero();
    return result;
  }
}
