package io.heddle;

/**
 * Holds the current context in a scoped value. Also passes the context on to new goroutines,
 * because the JDK passes scoped values on only inside structured scopes.
 */
final class CurrentContext {
  private static final ScopedValue<Context> CURRENT = ScopedValue.newInstance();

  /**
   * Whether any thread has ever run in a context. While this is false, the start of a goroutine is
   * spared the few nanoseconds of the ScopedValue lookup. A plain field suffices: a thread in a
   * context either set this field itself or was started by a thread that sees it set.
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

  /** Returns a task that runs {@code task} in the caller's context. */
  static Task inherited(Task task) {
    return used && CURRENT.isBound() ? in(CURRENT.get(), task) : task;
  }

  static Task in(Context context, Task task) {
    return () -> run(context, task);
  }
}
