/**
 * Watches the JDK's own scheduler, and changes nothing. Measures how long virtual threads wait for
 * a carrier, and finds what holds the carriers meanwhile.
 *
 * <ul>
 *   <li>{@link io.heddle.internal.watch.CarrierWatch}: the thread that wakes the probe and samples
 *       the carriers
 *   <li>{@code WatchProbe}: a virtual thread that is woken to measure how long it waits
 *   <li>{@code CarrierSampler}: what each carrier runs at a moment
 *   <li>{@code CarrierIdleness}: which carriers are blocked in foreign code
 *   <li>{@code OpenWait}: whether a wait is a starvation, or the machine had no free CPU
 *   <li>{@code CarrierHold}: how a virtual thread holds its carrier
 *   <li>{@code WaitHistogram}: the distribution of the waits
 *   <li>{@link io.heddle.internal.watch.WatchReport}: all results at a moment
 *   <li>{@link io.heddle.internal.watch.WatchText}, {@link io.heddle.internal.watch.WatchPage}: the
 *       report as text and as a page
 * </ul>
 */
@NullMarked
package io.heddle.internal.watch;

import org.jspecify.annotations.NullMarked;
