package child;

import io.heddle.Go;

/** Uses the library, then lists the threads that a program counts as its own. */
public final class ActiveThreads {
  private ActiveThreads() {}

  public static void main(String[] args) throws Exception {
    Go.main(() -> Go.go(() -> {}).join());
    Thread[] threads = new Thread[100];
    int n = Thread.enumerate(threads);
    for (int i = 0; i < n; i++) {
      System.out.println(threads[i].getName());
    }
  }
}
