package io.heddle.servers;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Location;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import io.heddle.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Dumps and a debugger show an adopted program that works, and do not disturb it. */
@Tag("full")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ToolsUnderLoadTest {
  private static final String PROGRAM = "beside.Everything";
  private static final Pattern PORT = Pattern.compile("dt_socket at address: (\\d+)");

  @TempDir private Path dir;
  private ChildJvm jvm;
  private Process program;

  @BeforeEach
  void start() throws Exception {
    jvm =
        ChildJvm.bare()
            .flags("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0")
            .flags("-javaagent:" + AgentPaths.jar() + "=adopt")
            .flags("-cp", Path.of("target", "test-classes").toAbsolutePath().toString())
            .within(Duration.ofMinutes(2))
            .outputTo(dir);
    program = jvm.start(PROGRAM, "load");
    while (!jvm.out().contains("started")) {
      assertThat(program.isAlive()).as(jvm.err()).isTrue();
      Thread.yield();
    }
  }

  @AfterEach
  void kill() {
    program.destroyForcibly();
  }

  private void endAndCheck() throws IOException, InterruptedException {
    program.getOutputStream().write('\n');
    program.getOutputStream().flush();
    ChildJvm.Result result = jvm.end(program);
    assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    assertThat(result.out()).contains("checked, adopted true");
  }

  @Test
  void heapAndThreadDumps() throws Exception {
    Path heap = dir.resolve("heap.hprof");
    assertThat(jcmd("GC.heap_dump", heap.toString())).contains("Heap dump file created");
    assertThat(heap).isNotEmptyFile();
    for (int i = 0; i < 5; i++) {
      Path json = dir.resolve(i + ".json");
      assertThat(jcmd("Thread.dump_to_file", "-format=json", json.toString())).contains("Created");
      assertThat(Files.readString(json)).contains("\"threadContainers\"", "heddle-shared-M");
      assertThat(jcmd("Thread.print")).contains("heddle-shared-M");
    }
    endAndCheck();
  }

  @Test
  void debuggerStopsAtBreakpointInAdoptedThread() throws Exception {
    VirtualMachine debugged = attach();
    ReferenceType type = debugged.classesByName(PROGRAM).getFirst();
    Location echo = type.methodsByName("echo").getFirst().location();
    BreakpointRequest request = debugged.eventRequestManager().createBreakpointRequest(echo);
    request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    request.enable();
    for (int stops = 0; stops < 10; ) {
      EventSet events = debugged.eventQueue().remove();
      for (Event event : events) {
        if (event instanceof BreakpointEvent stop) {
          ThreadReference thread = stop.thread();
          assertThat(thread.isVirtual()).isTrue();
          assertThat(thread.frame(0).location().method().name()).isEqualTo("echo");
          assertThat(thread.frame(0).getArgumentValues().getFirst().type().name())
              .isEqualTo("java.net.Socket");
          stops++;
        }
      }
      events.resume();
    }
    request.disable();
    debugged.suspend();
    assertThat(debugged.allThreads()).extracting(ThreadReference::name).contains("main");
    debugged.resume();
    debugged.dispose();
    endAndCheck();
  }

  private VirtualMachine attach() throws Exception {
    Matcher port = PORT.matcher(jvm.out());
    assertThat(port.find()).as(jvm.out()).isTrue();
    AttachingConnector connector =
        Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(each -> each.name().equals("com.sun.jdi.SocketAttach"))
            .findFirst()
            .orElseThrow();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("hostname").setValue("127.0.0.1");
    arguments.get("port").setValue(port.group(1));
    return connector.attach(arguments);
  }

  private String jcmd(String... command) throws Exception {
    Path output = dir.resolve("jcmd");
    ProcessBuilder builder = new ProcessBuilder();
    builder.command().add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    builder.command().add(Long.toString(program.pid()));
    builder.command().addAll(List.of(command));
    int code = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start().waitFor();
    String said = Files.readString(output);
    assertThat(code).as(said).isZero();
    return said;
  }
}
