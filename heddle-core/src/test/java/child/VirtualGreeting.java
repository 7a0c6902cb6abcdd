package child;

/** Prints a greeting from a virtual thread, and needs nothing else of the JDK. */
public final class VirtualGreeting {
  private VirtualGreeting() {}

  public static void main(String[] args) throws InterruptedException {
    Thread.ofVirtual().start(() -> System.out.println("hello")).join();
  }
}
