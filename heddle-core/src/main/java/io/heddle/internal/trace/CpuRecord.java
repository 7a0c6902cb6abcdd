package io.heddle.internal.trace;

/**
 * The CPU time that the goroutines with one creation site, or with one label, have used during a
 * trace.
 *
 * @param by the creation site, or the label, such as {@code tenant=acme}
 * @param isLabel whether {@code by} is a label
 * @param nanos the CPU time in nanoseconds
 */
public record CpuRecord(String by, boolean isLabel, long nanos) {}
