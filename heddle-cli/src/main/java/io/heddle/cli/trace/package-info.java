/**
 * Reads, checks and shows trace files ({@code docs/internals/trace-format.md}). Uses only the JDK.
 *
 * <ul>
 * <li>{@link io.heddle.cli.trace.TraceReader}: reads a file into
 * {@link io.heddle.cli.trace.TraceData}, with one {@link io.heddle.cli.trace.TraceScheduler} per
 * scheduler and one {@link io.heddle.cli.trace.TraceTrack} per M;
 * {@link io.heddle.cli.trace.ByteReader} decodes numbers and text
 * <li>{@link io.heddle.cli.trace.TrackEvents}: decodes the {@link io.heddle.cli.trace.TraceEvent}s
 * of a track, each of an {@link io.heddle.cli.trace.EventKind}
 * <li>{@link io.heddle.cli.trace.EventMerge}: merges the tracks into one order;
 * {@link io.heddle.cli.trace.CausalityGate} knows which event may come next
 * <li>{@link io.heddle.cli.trace.MStateTracker}: which goroutine and which P each M has
 * <li>{@link io.heddle.cli.trace.TraceCheck}: finds impossible events
 * <li>{@link io.heddle.cli.trace.TraceReplay}: turns events into intervals;
 * {@link io.heddle.cli.trace.TimeRangeFilter} selects a part
 * <li>{@link io.heddle.cli.trace.TraceStatistics}: totals per
 * {@link io.heddle.cli.trace.GoroutineFamily}
 * <li>{@link io.heddle.cli.trace.SummaryReport}, {@link io.heddle.cli.trace.TimelinePage} (with
 * {@link io.heddle.cli.trace.TimelineLane}), {@link io.heddle.cli.trace.ChromeTraceWriter}: the
 * outputs
 * <li>{@link io.heddle.cli.trace.TraceException}: a file that cannot be read
 * </ul>
 */
@NullMarked
package io.heddle.cli.trace;

import org.jspecify.annotations.NullMarked;
