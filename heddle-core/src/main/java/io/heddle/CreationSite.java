package io.heddle;

import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.part.LastCreationSite;
import io.heddle.internal.sched.Sched;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Finds where in a program goroutines are started: the creation site.
 *
 * <p>A walk of the stack takes longer than the start of a goroutine. So the stack is walked once
 * for each class of task. Each lambda expression has a class of its own, so for lambdas the result
 * is the exact place. If tasks of one class are started in several places, the result is the place
 * of the first start. The JDK's own classes of tasks (for example an executor's futures) are
 * started everywhere, so for them there is no result.
 *
 * <p>A {@link ClassValue} keeps the result for each class. Even a lookup in it takes a tenth of the
 * time that the start of a goroutine takes. So each M (scheduler thread) also remembers the result
 * of its last lookup.
 */
final class CreationSite extends ClassValue<StackTraceElement[]> {
  private static final CreationSite SITES = new CreationSite();
  private static final ProtectionDomain OURS = CreationSite.class.getProtectionDomain();

  private CreationSite() {}

  static @Nullable StackTraceElement of(Object task) {
    Class<?> type = task.getClass();
    LastCreationSite last = VirtualThreads.isOpen() ? Sched.lastSiteOfCaller() : null;
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
