/**
 * The parts of Ms, goroutines and schedulers. No part knows a class of {@code internal.sched}, the
 * package that uses the parts. A part that refers to goroutines or Ps takes their type as a type
 * parameter. The table of contents, in reading order:
 *
 * <p>Parts of an M
 *
 * <ul>
 *   <li>{@link io.heddle.internal.part.Slice}: its time slices
 *   <li>{@link io.heddle.internal.part.Mailbox}: the P and goroutine that a waker hands it
 *   <li>{@link io.heddle.internal.part.ThreadLock}: the goroutine it is locked to
 *   <li>{@link io.heddle.internal.part.MarkedCall}: the blocking calls its goroutine is in
 *   <li>{@link io.heddle.internal.part.KeeperSeat}: how it sleeps as the timekeeper
 *   <li>{@link io.heddle.internal.part.RunSlots}: what it keeps while it runs Gs in a row
 *   <li>{@link io.heddle.internal.part.CpuClock}: how much of its CPU time is charged
 *   <li>{@link io.heddle.internal.part.LastCreationSite}: where it started its last goroutine
 * </ul>
 *
 * <p>Parts of a goroutine
 *
 * <ul>
 *   <li>{@link io.heddle.internal.part.Account}: its labels and its CPU time
 * </ul>
 *
 * <p>Parts of a scheduler
 *
 * <ul>
 *   <li>{@link io.heddle.internal.part.CpuTotals}: the CPU time of all goroutines, by creation site
 *       and labels
 *   <li>{@link io.heddle.internal.part.YieldFlag}: asks woven code to yield
 *   <li>{@link io.heddle.internal.part.DeferredLog}: messages that must be logged later
 * </ul>
 */
@NullMarked
package io.heddle.internal.part;

import org.jspecify.annotations.NullMarked;
