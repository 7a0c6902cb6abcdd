/**
 * Small tools for every other package. No class here starts threads or schedules.
 *
 * <ul>
 *   <li>{@link io.heddle.internal.base.Clock}: the monotonic time scale of deadlines
 *   <li>{@link io.heddle.internal.base.FastRandom}: a pseudo-random generator for one thread
 *   <li>{@link io.heddle.internal.base.Counter}: a counter with one writer and many readers
 *   <li>{@link io.heddle.internal.base.Backoff}: waiting by spinning, in two presets
 *   <li>{@link io.heddle.internal.base.BlockReason}: what a parked goroutine waits for, as dumps
 *       show it
 *   <li>{@link io.heddle.internal.base.StackHeadroom}: the stack check before scheduler operations
 *   <li>{@link io.heddle.internal.base.Handles}: creation of VarHandles
 *   <li>{@link io.heddle.internal.base.JsonWriter}: JSON of the dashboard, the command and the
 *       benchmarks
 *   <li>{@link io.heddle.internal.base.ShownTable}: a table of figures on the dashboard
 *   <li>{@link io.heddle.internal.base.SystemThreadGroup}: the thread group of background threads
 *   <li>{@link io.heddle.internal.base.UnknownSettings}: the names of all settings, and warnings
 *       about misspelt ones
 *   <li>{@link io.heddle.internal.base.InvalidSettingException}: a setting has a value that is not
 *       allowed
 *   <li>{@link io.heddle.internal.base.MasterSwitch}: the setting {@code heddle}: on or off
 *   <li>{@link io.heddle.internal.base.ProcessStatus}: what Heddle does in this process, for
 *       {@code heddle doctor}
 *   <li>{@link io.heddle.internal.base.StartLine}: one line at the start that tells users the mode
 *   <li>{@code OldJdk} (in {@code src/main/java8}): an error message on a JDK that is too old
 *   <li>{@link io.heddle.internal.base.LibraryCopies}: a warning if several class loaders have
 *       loaded Heddle
 * </ul>
 */
@NullMarked
package io.heddle.internal.base;

import org.jspecify.annotations.NullMarked;
