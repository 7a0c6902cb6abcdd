package io.heddle;

import io.heddle.internal.sched.LastCreationSite;
import io.heddle.internal.sched.Sched;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Finds where in a program goroutines are started: the creation site.
 *
 * <p>A walk of the stack takes longer than the start of a goroutine. So the stack is walked once
 * for each class of task. Each lambda expression has a class of its own, so for lambdas the result
 * is the exact place. For a class that is started in several places, the result is the first such
 * place. The JDK's own classes of tasks (an executor's futures) are started everywhere, so they
 * have no site. Even the lookup of the class takes a tenth of a start, so each M remembers the
 * result of its last lookup.
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
