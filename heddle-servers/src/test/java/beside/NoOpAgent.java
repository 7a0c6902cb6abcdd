package beside;

import java.lang.instrument.Instrumentation;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.AgentBuilder.RedefinitionStrategy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * An agent of Byte Buddy that retransforms classes that Heddle changes too: it puts a call that
 * does nothing into their methods.
 */
public final class NoOpAgent {
  private static final String[] CHANGED = {
    "java.lang.ThreadBuilders", "java.lang.VirtualThread", "sun.nio.ch.NioSocketImpl"
  };

  private NoOpAgent() {}

  public static void premain(String options, Instrumentation instrumentation)
      throws ClassNotFoundException {
    for (String name : CHANGED) {
      Class<?> _ = Class.forName(name, false, null); // a loaded class is retransformed at once
    }
    int[] transformed = {0};
    new AgentBuilder.Default()
        .disableClassFormatChanges()
        .with(RedefinitionStrategy.RETRANSFORMATION)
        .ignore(ElementMatchers.none())
        .type(ElementMatchers.namedOneOf(CHANGED))
        .transform(
            (builder, type, loader, module, domain) -> {
              transformed[0]++;
              return builder.visit(
                  Advice.to(Nothing.class)
                      .on(ElementMatchers.namedOneOf("newVirtualThread", "schedule", "park")));
            })
        .installOn(instrumentation);
    System.out.println("transformed " + transformed[0]);
  }

  /** What is put into the methods: an entry and an exit without code. */
  public static final class Nothing {
    private Nothing() {}

    @Advice.OnMethodEnter
    public static void enter() {
      // Byte Buddy copies this body.
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class)
    public static void exit() {
      // Byte Buddy copies this body, with a handler for exceptions.
    }
  }
}
