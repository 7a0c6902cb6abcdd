package child;

import com.sun.tools.attach.VirtualMachine;
import java.util.Arrays;

/** {@link Woven}, loaded before the agent is, which it then attaches to itself. */
public final class Late {
  private Late() {}

  public static void main(String[] args) throws Exception {
    Class.forName("child.Woven", true, Late.class.getClassLoader());
    VirtualMachine self = VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
    self.loadAgent(args[0], "preempt=child.*");
    self.detach();
    Woven.main(Arrays.copyOfRange(args, 1, args.length));
  }
}
