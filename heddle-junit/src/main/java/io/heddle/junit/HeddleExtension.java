package io.heddle.junit;

import io.heddle.Bubble;
import io.heddle.Task;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** Runs a {@link HeddleTest} under its seeds. */
final class HeddleExtension implements InvocationInterceptor {
  private static final String SEED = "heddle.seed";
  private static final AtomicBoolean NOTED = new AtomicBoolean();

  @Override
  public void interceptTestMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> call,
      ExtensionContext context)
      throws Throwable {
    invocation.skip();
    HeddleTest test =
        AnnotationSupport.findAnnotation(call.getExecutable(), HeddleTest.class).orElseThrow();
    check(test, call);
    boolean explored = Bubble.explore(patterns(test, call.getTargetClass()));
    if (!explored && NOTED.compareAndSet(false, true)) {
      System.err.println(
          "heddle: without -javaagent:heddle.jar a @HeddleTest switches only where Heddle or the"
              + " JDK makes a thread wait, so it misses races between waits (reported once)");
    }
    Search search = new Search(test, explored, new Body(call, context));
    Long only = only(test);
    if (only != null) {
      search.alone(only);
    } else {
      search.all(test.seeds());
    }
  }

  private static void check(HeddleTest test, ReflectiveInvocationContext<Method> call) {
    if (test.seeds() < 1) {
      throw new ExtensionConfigurationException(
          "@HeddleTest(seeds = " + test.seeds() + "): allowed is 1 or more");
    }
    if (call.getExecutable().getParameterCount() > 0) {
      throw new ExtensionConfigurationException(
          "a @HeddleTest has no parameters: " + call.getExecutable());
    }
  }

  private static String[] patterns(HeddleTest test, Class<?> type) {
    return test.explore().length > 0
        ? test.explore()
        : new String[] {
          type.getPackageName().isEmpty() ? type.getName() + "*" : type.getPackageName() + ".*"
        };
  }

  private static @Nullable Long only(HeddleTest test) {
    String set = System.getProperty(SEED);
    if (set == null || set.isBlank()) {
      return test.seed() == HeddleTest.ANY ? null : test.seed();
    }
    try {
      return Long.valueOf(set.strip());
    } catch (NumberFormatException e) {
      throw new ExtensionConfigurationException(
          SEED + " is \"" + set + "\": allowed is a whole number, as a failure reports it", e);
    }
  }

  /**
   * The code to run for each seed: make a test object, call the methods before the test, the test,
   * and the methods after it.
   */
  private static final class Body implements Task {
    private final Class<?> type;
    private final Method method;
    private final List<Method> before;
    private final List<Method> after;
    private final @Nullable Object shared;
    private final @Nullable Object outer;

    Body(ReflectiveInvocationContext<Method> call, ExtensionContext context) {
      type = call.getTargetClass();
      method = call.getExecutable();
      method.setAccessible(true);
      before =
          AnnotationSupport.findAnnotatedMethods(
              type, BeforeEach.class, HierarchyTraversalMode.TOP_DOWN);
      after =
          AnnotationSupport.findAnnotatedMethods(
              type, AfterEach.class, HierarchyTraversalMode.BOTTOM_UP);
      boolean isShared = context.getTestInstanceLifecycle().orElse(null) == Lifecycle.PER_CLASS;
      shared = isShared ? context.getRequiredTestInstance() : null;
      List<Object> outers = context.getRequiredTestInstances().getEnclosingInstances();
      outer = outers.isEmpty() ? null : outers.getLast();
    }

    @Override
    public void run() throws Exception {
      Object target = shared == null ? newTarget() : shared;
      try {
        for (Method each : before) {
          call(each, target);
        }
        call(method, target);
      } finally {
        for (Method each : after) {
          call(each, target);
        }
      }
    }

    private Object newTarget() {
      Object[] arguments = outer == null ? new Object[0] : new Object[] {outer};
      return ReflectionSupport.newInstance(type, arguments);
    }

    private static void call(Method method, Object target) throws Exception {
      try {
        method.setAccessible(true);
        Object _ = method.invoke(target);
      } catch (InvocationTargetException e) {
        Throwable thrown = Objects.requireNonNullElse(e.getCause(), e);
        if (thrown instanceof Error error) {
          throw error;
        }
        throw thrown instanceof Exception exception ? exception : e;
      }
    }
  }
}
