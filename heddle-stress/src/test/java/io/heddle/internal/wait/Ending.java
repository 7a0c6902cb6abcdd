package io.heddle.internal.wait;

/**
 * The common interface of {@link WaitState} and {@link BrokenWait}, so that one scene can test
 * both.
 */
interface Ending {
  long begin();

  boolean fire(long round, int index);

  boolean giveUp(long round);

  int ended(long round);

  /** The real one. */
  final class Sound implements Ending {
    private final WaitState wait = new WaitState();

    @Override
    public long begin() {
      return wait.begin("test");
    }

    @Override
    public boolean fire(long round, int index) {
      return wait.fire(round, index);
    }

    @Override
    public boolean giveUp(long round) {
      return wait.giveUp(round);
    }

    @Override
    public int ended(long round) {
      return wait.ended(round);
    }
  }
}
