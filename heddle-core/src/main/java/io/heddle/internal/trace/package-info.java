/**
 * Execution traces. The scheduler emits events into tracks, and one thread writes the events to
 * files.
 *
 * <p>In memory:
 *
 * <ul>
 *   <li>{@code EventKind}: the kinds of events and the layout of a word
 *   <li>{@link io.heddle.internal.trace.EventTrack}: the events of one M, of sysmon or of foreign
 *       threads
 *   <li>{@code EventChunk}, {@code ChunkPool}: the pieces of a track
 *   <li>{@code StringTable}, {@code WaitReasonIds}: names, creation sites and wait reasons by
 *       number
 *   <li>{@link io.heddle.internal.trace.Recording}: all tracks of one scheduler
 * </ul>
 *
 * <p>Always on:
 *
 * <ul>
 *   <li>{@link io.heddle.internal.trace.SchedLatency}: how long runnable goroutines wait for a P
 * </ul>
 *
 * <p>On the writer's thread:
 *
 * <ul>
 *   <li>{@link io.heddle.internal.trace.TraceWriter}: the thread that reads the tracks
 *   <li>{@code Encoder}, {@code VarintOutput}, {@code RecordTag}: the bytes of the file format
 *   <li>{@code Sink}: a destination of events
 *   <li>{@link io.heddle.internal.trace.TraceFile}: a sink that is a file
 *   <li>{@link io.heddle.internal.trace.FlightRing}: a sink that keeps the last seconds in
 *       memory
 *   <li>{@link io.heddle.internal.trace.FlightRecorder}: writes the ring to a file, on request,
 *       and after a deadlock or a stall
 *   <li>{@link io.heddle.internal.trace.LiveGoroutineRecord}: a goroutine alive at the start of a
 *       trace
 *   <li>{@link io.heddle.internal.trace.CpuRecord}: the CPU time of goroutines during a trace
 * </ul>
 */
@NullMarked
package io.heddle.internal.trace;

import org.jspecify.annotations.NullMarked;
