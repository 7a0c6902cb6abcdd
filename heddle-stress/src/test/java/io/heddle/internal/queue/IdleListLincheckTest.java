package io.heddle.internal.queue;

import io.heddle.internal.queue.BrokenIdleList.Fault;
import io.heddle.stress.Check;
import io.heddle.stress.Corner;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** The idle list under Lincheck. */
class IdleListLincheckTest {
  private static final Corner PUSH_AND_PUSH = new Corner("", "push(1)", "push(2)", "pop pop");
  private static final Corner POP_AND_POP = new Corner("push(1)", "pop", "pop", "pop");
  private static final Corner POP_AND_REMOVE =
      new Corner("push(1) push(2)", "pop pop", "remove(1)", "pop");
  private static final Corner REMOVE_AND_REMOVE =
      new Corner("push(1) push(2)", "remove(1)", "remove(2)", "pop");

  private static final Corner[] CORNERS = {
    PUSH_AND_PUSH, POP_AND_POP, POP_AND_REMOVE, REMOVE_AND_REMOVE
  };

  @Test
  void n4_isLinearizable() {
    Check.passes(Sound.class, OneThread.class, CORNERS);
  }

  @Test
  void twinWithoutAFaultPasses() {
    Check.passesCorners(NoFault.class, OneThread.class, CORNERS);
  }

  @Test
  void n4_pushWithoutCasIsCaught() {
    Check.fails(PushWithoutCas.class, OneThread.class, PUSH_AND_PUSH);
  }

  @Test
  void n4_popWithoutCasIsCaught() {
    Check.fails(PopWithoutCas.class, OneThread.class, POP_AND_POP);
  }

  @Test
  void n4_removeWithoutCasIsCaught() {
    Check.fails(RemoveWithoutCas.class, OneThread.class, POP_AND_REMOVE);
  }

  /**
   * Every thread performs every operation. An element may be in the list twice, which is more than
   * the list promises to support.
   */
  @Param(name = "id", gen = IntGen.class, conf = "1:3")
  public abstract static class Scene {
    private final IdleStack list;
    private final Token[] tokens = IntStream.range(0, 4).mapToObj(Token::new).toArray(Token[]::new);

    Scene(IdleStack list) {
      this.list = list;
    }

    @Operation
    public void push(@Param(name = "id") int id) {
      list.push(tokens[id]);
    }

    @Operation
    public int pop() {
      return Token.id(list.pop());
    }

    @Operation
    public boolean remove(@Param(name = "id") int id) {
      return list.remove(tokens[id]);
    }
  }

  public static class Sound extends Scene {
    public Sound() {
      super(new IdleStack.Sound());
    }
  }

  public static class NoFault extends Scene {
    public NoFault() {
      super(new BrokenIdleList(Fault.NONE));
    }
  }

  public static class PushWithoutCas extends Scene {
    public PushWithoutCas() {
      super(new BrokenIdleList(Fault.PUSH_WITHOUT_CAS));
    }
  }

  public static class PopWithoutCas extends Scene {
    public PopWithoutCas() {
      super(new BrokenIdleList(Fault.POP_WITHOUT_CAS));
    }
  }

  public static class RemoveWithoutCas extends Scene {
    public RemoveWithoutCas() {
      super(new BrokenIdleList(Fault.REMOVE_WITHOUT_CAS));
    }
  }

  /** The scene on one thread: the sequential specification. */
  public static class OneThread {
    private final Deque<Integer> list = new ArrayDeque<>();

    public void push(int id) {
      list.push(id);
    }

    public int pop() {
      return list.isEmpty() ? 0 : list.pop();
    }

    public boolean remove(int id) {
      return list.removeFirstOccurrence(id);
    }
  }
}
