/**
 * Events for the JDK's flight recorder (JFR). This package only emits events. No class of {@code
 * jdk.jfr} is loaded before a recording starts.
 *
 * <ul>
 *   <li>{@link io.heddle.internal.jfr.JfrEvents}: the facade that the scheduler calls
 *   <li>{@code JfrListener}: detects the first recording
 *   <li>{@link io.heddle.internal.jfr.GoroutineRun}: one run of a goroutine
 *   <li>{@link io.heddle.internal.jfr.LongWait}: a long wait for a primitive of Heddle
 *   <li>{@code GoroutineStart}, {@code GoroutineEnd}, {@code HandOffEvent}, {@code DeadlockEvent},
 *       {@code StarvationEvent}, {@code StuckEvent}: the other events
 * </ul>
 */
@NullMarked
package io.heddle.internal.jfr;

import org.jspecify.annotations.NullMarked;
