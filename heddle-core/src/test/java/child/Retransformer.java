package child;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.List;

/** An agent that looks at the classes of the JDK that Heddle changes, and changes nothing. */
public final class Retransformer {
  private static final List<String> CLASSES =
      List.of(
          "java.lang.ThreadBuilders",
          "java.lang.VirtualThread",
          "java.lang.VirtualThread$DelayedTaskSchedulers",
          "sun.nio.ch.DatagramChannelImpl",
          "sun.nio.ch.EPollSelectorImpl",
          "sun.nio.ch.NativeDispatcher",
          "sun.nio.ch.NioSocketImpl",
          "sun.nio.ch.SelChImpl",
          "sun.nio.ch.SocketChannelImpl");

  private static Instrumentation instrumentation;

  private Retransformer() {}

  /** Looks at the classes before the program starts. */
  public static void premain(String options, Instrumentation instrumentation) throws Exception {
    Retransformer.instrumentation = instrumentation;
    retransform();
  }

  static void retransform() throws ClassNotFoundException, UnmodifiableClassException {
    ClassFileTransformer noChange = new ClassFileTransformer() {};
    instrumentation.addTransformer(noChange, true);
    for (String name : CLASSES) {
      instrumentation.retransformClasses(Class.forName(name, false, null));
    }
    instrumentation.removeTransformer(noChange);
  }
}
