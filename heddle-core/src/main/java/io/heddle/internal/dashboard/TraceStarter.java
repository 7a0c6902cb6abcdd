package io.heddle.internal.dashboard;

import java.nio.file.Path;

/** Records what a scheduler does into a file, for the page's button. */
@FunctionalInterface
public interface TraceStarter {
  /** Begins; closing the result ends it. {@code owner} is whoever speaks for the scheduler. */
  AutoCloseable trace(Object owner, Path file) throws Exception;
}
