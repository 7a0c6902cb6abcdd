/**
 * The dashboard, a page that shows what the schedulers do. The process that is shown serves the
 * page, if {@code heddle.dashboard} is set.
 *
 * <p>The server:
 *
 * <ul>
 *   <li>{@link io.heddle.internal.dashboard.DashboardLauncher}: starts the dashboard from the
 *       settings
 *   <li>{@code Dashboard}: the web server; {@code Address}: where it listens
 *   <li>{@code HttpThreads}: the threads of the server
 *   <li>{@code Guard}: which requests are refused
 *   <li>{@code Routes}, {@code Query}, {@code Response}, {@code Responses}: requests and responses
 *   <li>{@link io.heddle.internal.dashboard.TraceStarter}: records a trace for the page
 *   <li>{@code KeepAlive}: keeps the process after the end of the program
 * </ul>
 *
 * <p>The data:
 *
 * <ul>
 *   <li>{@code Feeds}, {@code Feed}, {@code RefreshRate}: samples of the watched schedulers
 *   <li>{@code EventStreams}: the clients that receive the samples
 *   <li>{@code SnapshotJson}, {@code Census}, {@code Percentiles}: the parts of a sample
 *   <li>{@code GoroutineTable}: the search for goroutines
 *   <li>{@code MetricsText}: the metrics for Prometheus
 *   <li>{@code TablesJson}: all tables; {@code UsageTables}: those about CPU time and lost Ps
 *   <li>{@code GoroutineDots}, {@code GoroutineLabel}, {@code WaitReasonCache}: how one goroutine
 *       is shown
 * </ul>
 */
@NullMarked
package io.heddle.internal.dashboard;

import org.jspecify.annotations.NullMarked;
