package child;

import com.sun.tools.attach.VirtualMachine;
import java.util.Arrays;

/** Loads {@link Woven} first and attaches the agent to its own JVM afterwards. */
public final class LateAttach {
  private LateAttach() {}

  public static void main(String[] args) throws Exception {
    Class.forName("child.Woven", true, LateAttach.class.getClassLoader());
    VirtualMachine self = VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
    self.loadAgent(args[0], "preempt=child.*");
    self.detach();
    Woven.main(Arrays.copyOfRange(args, 1, args.length));
  }
}
