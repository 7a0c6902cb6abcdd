/**
 * Rank 1: small tools for every other package. No class here starts threads or schedules.
 *
 * <ul>
 *   <li>{@link io.heddle.internal.base.Clock}: the monotonic time scale of deadlines
 *   <li>{@link io.heddle.internal.base.FastRandom}: a pseudo-random generator for one thread
 *   <li>{@link io.heddle.internal.base.Counter}: a counter with one writer and many readers
 *   <li>{@link io.heddle.internal.base.Backoff}: waiting by spinning, in two presets
 *   <li>{@link io.heddle.internal.base.StackHeadroom}: the stack check before scheduler operations
 *   <li>{@link io.heddle.internal.base.Handles}: creation of VarHandles
 *   <li>{@link io.heddle.internal.base.JsonWriter}: JSON of the dashboard, the command and the
 *       benchmarks
 *   <li>{@link io.heddle.internal.base.SystemThreadGroup}: the thread group of background threads
 *   <li>{@link io.heddle.internal.base.UnknownSettings}: the names of all settings, and warnings
 *       about misspelt ones
 * </ul>
 */
@NullMarked
package io.heddle.internal.base;

import org.jspecify.annotations.NullMarked;
