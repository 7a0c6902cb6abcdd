package openjdk.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.StepEvent;
import com.sun.jdi.event.ThreadDeathEvent;
import com.sun.jdi.event.ThreadStartEvent;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.StepRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import openjdk.VirtualTest;
import openjdk.child.WorldJvm;
import org.junit.jupiter.api.Test;

/**
 * A debugger attached to a program with virtual threads: the tests in com/sun/jdi and
 * serviceability/jvmti/vthread, reduced to what a user does.
 */
class DebuggerTest extends VirtualTest {
  private static final String DEBUGGEE = "openjdk.child.Debuggee";
  private static final String JDWP =
      "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0";

  /** The observations at each stop: location, thread and variables. */
  private record Stop(
      int line, String thread, boolean virtual, List<String> frames, Map<String, Object> locals) {}

  private final List<Stop> stops = new ArrayList<>();
  private final List<String> startedAndEnded = new ArrayList<>();
  private int firstLine;

  @Test
  void breakpointFramesLocalsStepsAndResume() throws Exception {
    Process process =
        WorldJvm.inThisWorld(JDWP).builder(DEBUGGEE).redirectErrorStream(true).start();
    try (BufferedReader out = process.inputReader()) {
      VirtualMachine vm = attach(out.readLine());
      debug(vm);
      assertThat(out.readLine()).isEqualTo("result 42");
      assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
    assertThat(stops.stream().map(Stop::line))
        .containsExactly(firstLine, firstLine + 1, firstLine + 2, firstLine + 3, firstLine + 4);
    assertThat(stops)
        .allSatisfy(
            stop -> {
              assertThat(stop.thread()).isEqualTo("debugged");
              assertThat(stop.virtual()).isTrue();
              assertThat(stop.frames()).startsWith("work").endsWith("enter"); // of a continuation
              assertThat(stop.locals()).containsEntry("half", 21);
            });
    assertThat(stops.getFirst().locals()).doesNotContainKey("whole");
    assertThat(stops.getLast().locals())
        .containsEntry("whole", 42)
        .containsEntry("text", "whole 42");
    assertThat(startedAndEnded).containsExactly("started", "ended");
  }

  private static VirtualMachine attach(String listening) throws Exception {
    assertThat(listening).startsWith("Listening for transport dt_socket");
    AttachingConnector connector =
        Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(each -> each.name().equals("com.sun.jdi.SocketAttach"))
            .findAny()
            .orElseThrow();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("hostname").setValue("127.0.0.1");
    arguments.get("port").setValue(listening.replaceAll(".*[: ]", ""));
    return connector.attach(arguments);
  }

  /** Waits until the program has ended. */
  private void debug(VirtualMachine vm) throws Exception {
    EventRequestManager requests = vm.eventRequestManager();
    ClassPrepareRequest prepare = requests.createClassPrepareRequest();
    prepare.addClassFilter(DEBUGGEE);
    prepare.enable();
    requests.createThreadStartRequest().enable();
    requests.createThreadDeathRequest().enable();
    while (true) {
      EventSet events = vm.eventQueue().remove();
      for (Event event : events) {
        if (event instanceof VMDeathEvent || event instanceof VMDisconnectEvent) {
          events.resume();
          return;
        }
        handle(event, requests);
      }
      events.resume();
    }
  }

  private void handle(Event event, EventRequestManager requests) throws Exception {
    switch (event) {
      case ClassPrepareEvent e -> breakAt(e.referenceType(), requests);
      case BreakpointEvent e -> {
        look(e.thread(), e.location());
        stepFrom(e.thread(), requests);
      }
      case StepEvent e -> {
        requests.deleteEventRequest(e.request());
        if (e.location().method().name().equals("work")) {
          look(e.thread(), e.location());
          stepFrom(e.thread(), requests);
        }
      }
      case ThreadStartEvent e when isDebugged(e.thread()) -> startedAndEnded.add("started");
      case ThreadDeathEvent e when isDebugged(e.thread()) -> startedAndEnded.add("ended");
      default -> {}
    }
  }

  private static boolean isDebugged(ThreadReference thread) {
    return thread.isVirtual() && thread.name().equals("debugged");
  }

  private void breakAt(ReferenceType type, EventRequestManager requests) throws Exception {
    Method work = type.methodsByName("work").getFirst();
    Location first = work.allLineLocations().getFirst();
    firstLine = first.lineNumber();
    requests.createBreakpointRequest(first).enable();
  }

  private static void stepFrom(ThreadReference thread, EventRequestManager requests) {
    StepRequest step =
        requests.createStepRequest(thread, StepRequest.STEP_LINE, StepRequest.STEP_OVER);
    step.setSuspendPolicy(EventRequest.SUSPEND_ALL);
    step.enable();
  }

  private void look(ThreadReference thread, Location location) throws Exception {
    List<String> frames = new ArrayList<>();
    for (StackFrame frame : thread.frames()) {
      frames.add(frame.location().method().name());
    }
    StackFrame top = thread.frame(0);
    Map<String, Object> locals = new HashMap<>();
    for (var variable : top.visibleVariables()) {
      locals.put(variable.name(), plain(top.getValue(variable)));
    }
    stops.add(new Stop(location.lineNumber(), thread.name(), thread.isVirtual(), frames, locals));
  }

  private static Object plain(Value value) throws IOException {
    return switch (value) {
      case IntegerValue number -> number.value();
      case StringReference text -> text.value();
      default -> throw new IOException("neither a number nor a text: " + value);
    };
  }
}
