package io.heddle;

/** The context that code runs in, and how it gets into goroutines: the JDK hands on scoped values in scopes only. */
final class CurrentContext {
  private static final ScopedValue<Context> CURRENT = ScopedValue.newInstance();

  /**
   * Whether any thread has ever run in a context: to ask for one costs a start a few nanoseconds. Whoever has one has
   * set this itself, or was started by one that did.
   */
  private static boolean used;

  private CurrentContext() {}

  static Context get() {
    return CURRENT.orElse(BackgroundContext.INSTANCE);
  }

  static void run(Context context, Task task) throws Exception {
    used = true;
    boolean _ =
        ScopedValue.where(CURRENT, context)
            .call(
                () -> {
                  task.run();
                  return true;
                });
  }

  /** For a task that will run in another goroutine: the same, in the caller's context. */
  static Task inherited(Task task) {
    return used && CURRENT.isBound() ? in(CURRENT.get(), task) : task;
  }

  static Task in(Context context, Task task) {
    return () -> run(context, task);
  }
}
