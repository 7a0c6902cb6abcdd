package io.heddle;

import io.heddle.internal.sched.LastCreationSite;
import io.heddle.internal.sched.Sched;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Where in a program goroutines are started.
 *
 * <p>A walk up the stack costs more than a start, so it is done once per class of task. A lambda expression has a class
 * of its own, so for lambdas that is the exact place; for a class that is started in several places it is the first.
 * The JDK's own classes of tasks (an executor's futures) are started everywhere, so for those there is none.
 * Even to look that up costs a tenth of a start, so an M remembers the last one.
 */
final class CreationSite extends ClassValue<StackTraceElement[]> {
  private static final CreationSite SITES = new CreationSite();
  private static final ProtectionDomain OURS = CreationSite.class.getProtectionDomain();

  private CreationSite() {}

  static @Nullable StackTraceElement of(Object task) {
    Class<?> type = task.getClass();
    LastCreationSite last = Sched.lastSiteOfCaller();
    if (last != null && last.isOf(type)) {
      return last.site();
    }
    if (type.getClassLoader() == null) {
      return null;
    }
    StackTraceElement[] found = SITES.get(type);
    StackTraceElement site = found.length == 0 ? null : found[0];
    if (last != null) {
      last.set(type, site);
    }
    return site;
  }

  @Override
  protected StackTraceElement[] computeValue(Class<?> type) {
    return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
        .walk(
            frames ->
                frames
                    .filter(frame -> isUsers(frame.getDeclaringClass()))
                    .limit(1)
                    .map(StackWalker.StackFrame::toStackTraceElement)
                    .toArray(StackTraceElement[]::new));
  }

  private static boolean isUsers(Class<?> type) {
    return type.getClassLoader() != null && type.getProtectionDomain() != OURS;
  }
}
