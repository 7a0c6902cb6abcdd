package child;

/** An agent that loads the class of the JDK that its option names. */
public final class ClassToucher {
  private ClassToucher() {}

  public static void premain(String name) throws ClassNotFoundException {
    Class<?> _ = Class.forName(name, true, null);
  }
}
