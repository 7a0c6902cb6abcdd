package io.heddle;

/**
 * Counts, by reason, how often a goroutine gave up or lost its P (processor, the right to run) so
 * that other goroutines could run. {@link Stats#handoffs} is the sum.
 *
 * {@snippet :
 * HandOffs handOffs = Scheduler.shared().handOffs();
 * System.out.println(handOffs.pinned() + " waits have blocked an OS thread");
 * }
 *
 * <p>An immutable snapshot: {@link Scheduler#handOffs} returns a new one at each call.
 *
 * @param computing the goroutine computed for longer than its time slice while other goroutines
 *     waited
 * @param inNative the goroutine was in native code, without using the CPU, for longer than its time
 *     slice
 * @param pinned the goroutine parked but blocked its OS thread, because a native frame or a class
 *     initializer was on its stack
 * @param marked the goroutine was in {@link Go#blocking}, or in a call that the JDK marks as
 *     blocking
 */
public record HandOffs(long computing, long inNative, long pinned, long marked) {}
