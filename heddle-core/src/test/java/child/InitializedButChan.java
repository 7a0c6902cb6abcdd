package child;

/**
 * Initializes all classes that {@code EarlyInitialization} lists, but {@code Chan}, and prints how
 * many there are.
 */
public final class InitializedButChan {
  private InitializedButChan() {}

  public static void main(String[] args) throws Exception {
    var types = Class.forName("io.heddle.EarlyInitialization").getDeclaredField("TYPES");
    types.setAccessible(true);
    int count = 0;
    for (Class<?> type : (Class<?>[]) types.get(null)) {
      if (!type.getName().equals("io.heddle.Chan")) {
        Class.forName(type.getName());
        count++;
      }
    }
    System.out.println("initialized: " + count);
  }
}
