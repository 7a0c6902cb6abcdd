package io.heddle.internal.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.heddle.internal.queue.BrokenIdleList.Fault;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The idle list on real cores, under jcstress: each scene with the real list, and with a broken
 * twin.
 *
 * <p>An outcome that is not listed is forbidden. Elements are numbered from 1, 0 is none, and two
 * elements are two digits.
 */
public class IdleListStress {
  private IdleListStress() {}

  /** 1 lies below 2. */
  abstract static class Scene {
    private final IdleStack list;
    private final Token one = new Token(1);

    Scene(IdleStack list) {
      this.list = list;
      list.push(one);
      list.push(new Token(2));
    }

    final int pop() {
      return Token.id(list.pop());
    }

    final int popTwo() {
      return pop() * 10 + pop();
    }

    final int removeOne() {
      return list.remove(one) ? 1 : 0;
    }
  }

  /** Two threads pop the element that was pushed last. */
  @Outcome(
      id = {"1, 2", "2, 1"},
      expect = ACCEPTABLE,
      desc = "each gets one of its own")
  public abstract static class PopAndPop extends Scene {
    PopAndPop(IdleStack list) {
      super(list);
    }
  }

  @JCStressTest
  @State
  public static class PopAgainstPop extends PopAndPop {
    public PopAgainstPop() {
      super(new IdleStack.Sound());
    }

    @Actor
    public void left(II_Result r) {
      r.r1 = pop();
    }

    @Actor
    public void right(II_Result r) {
      r.r2 = pop();
    }
  }

  @JCStressTest
  @State
  public static class PopAgainstPopBroken extends PopAndPop {
    public PopAgainstPopBroken() {
      super(new BrokenIdleList(Fault.POP_WITHOUT_CAS));
    }

    @Actor
    public void left(II_Result r) {
      r.r1 = pop();
    }

    @Actor
    public void right(II_Result r) {
      r.r2 = pop();
    }
  }

  /** One thread removes 1 from below, the other takes all elements. */
  @Outcome(id = "1, 20", expect = ACCEPTABLE, desc = "the first gets 1")
  @Outcome(id = "0, 21", expect = ACCEPTABLE, desc = "the second gets 1")
  public abstract static class RemoveAndPop extends Scene {
    RemoveAndPop(IdleStack list) {
      super(list);
    }
  }

  @JCStressTest
  @State
  public static class RemoveAgainstPop extends RemoveAndPop {
    public RemoveAgainstPop() {
      super(new IdleStack.Sound());
    }

    @Actor
    public void remover(II_Result r) {
      r.r1 = removeOne();
    }

    @Actor
    public void popper(II_Result r) {
      r.r2 = popTwo();
    }
  }

  @JCStressTest
  @State
  public static class RemoveAgainstPopBroken extends RemoveAndPop {
    public RemoveAgainstPopBroken() {
      super(new BrokenIdleList(Fault.REMOVE_WITHOUT_CAS));
    }

    @Actor
    public void remover(II_Result r) {
      r.r1 = removeOne();
    }

    @Actor
    public void popper(II_Result r) {
      r.r2 = popTwo();
    }
  }
}
