package io.heddle;

/**
 * How often another goroutine got the P of one that would not let go of it: {@link Stats#handoffs} by reason.
 *
 * @param computing it computed for longer than its time slice, and others waited
 * @param inNative it was in native code, and used no CPU, for longer than its time slice
 * @param pinned it parked, and took its OS thread along: a native frame or a class initialiser was on its stack
 * @param marked it was in {@link Go#blocking}, or in a call that the JDK marks as blocking
 */
public record HandOffs(long computing, long inNative, long pinned, long marked) {}
