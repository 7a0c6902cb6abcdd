package io.heddle.agent;

import io.heddle.internal.jdk.VirtualThreads;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Opens {@code java.lang} to other copies of Heddle, which a program may load with class loaders of
 * its own: a web application with the library among its jars, for example.
 *
 * <p>The JVM calls this transformer for each class that is about to be loaded. The transformer
 * changes no class. But when a class named like {@link VirtualThreads} is loaded in another module,
 * it belongs to a copy. Then the transformer opens {@code java.lang} to that module.
 */
final class CopyOpener implements ClassFileTransformer {
  private static final String NEEDS_ACCESS = VirtualThreads.class.getName().replace('.', '/');

  private final Instrumentation instrumentation;

  private CopyOpener(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  static void begin(Instrumentation instrumentation) {
    instrumentation.addTransformer(new CopyOpener(instrumentation));
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable Module module,
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> type,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    if (module != null && module != CopyOpener.class.getModule() && NEEDS_ACCESS.equals(name)) {
      AgentStart.openJavaLang(instrumentation, module);
    }
    return null;
  }
}
