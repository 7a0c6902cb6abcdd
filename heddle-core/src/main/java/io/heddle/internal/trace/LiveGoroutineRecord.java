package io.heddle.internal.trace;

import org.jspecify.annotations.Nullable;

/**
 * A goroutine that is alive when a trace begins.
 *
 * @param id its id
 * @param site its creation site; null if it is not known
 * @param name its name; empty if there is none
 */
public record LiveGoroutineRecord(long id, @Nullable Object site, String name) {}
