package io.heddle.internal.trace;

import org.jspecify.annotations.Nullable;

/** A goroutine that is alive when a trace begins. */
public record LiveGoroutineRecord(long id, @Nullable Object site, String name) {}
