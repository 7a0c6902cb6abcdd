package io.heddle;

/**
 * Counts how often a P passed from a goroutine that kept it too long or blocked to other
 * goroutines: {@link Stats#handoffs} by reason.
 *
 * @param computing it computed for longer than its time slice while other goroutines waited
 * @param inNative it was in native code, without using the CPU, for longer than its time slice
 * @param pinned it parked but blocked its OS thread, because a native frame or a class initializer
 *     was on its stack
 * @param marked it was in {@link Go#blocking}, or in a call that the JDK marks as blocking
 */
public record HandOffs(long computing, long inNative, long pinned, long marked) {}
