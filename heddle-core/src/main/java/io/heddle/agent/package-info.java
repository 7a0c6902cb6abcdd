/**
 * The Java agent, which runs before the program, and the launcher, which does the same work.
 *
 * <ul>
 *   <li>{@code Agent} (in {@code src/main/java8}): the entry points that the JVM calls; compiled
 *       for Java 8, so that an older JVM prints a clear message instead of a stack trace
 *   <li>{@link io.heddle.agent.AgentStart}: what the agent does on a JDK that Heddle supports
 *   <li>{@code Launch} (in {@code src/main/java8}), {@link io.heddle.agent.Launcher}, {@code
 *       LaunchCommand}: start a program with the same effect and without an agent
 *   <li>{@code Options}: the options of {@code -javaagent}
 *   <li>{@code Filter}: which threads to adopt, which classes to weave
 *   <li>{@code CopyOpener}: opens {@code java.lang} to copies of the library that other class
 *       loaders load
 *   <li>{@code Tenant}, {@code ThreadLimit}: a scheduler, and a limit, for some adopted threads
 *   <li>{@code FilterTally}: a report if the filter has matched no thread
 *   <li>{@code AdoptionPlan}: which scheduler and limit a new thread gets
 *   <li>{@code Adoption}: virtual threads of the program become goroutines
 *   <li>{@code Watching}, {@code WatchSettings}: watch mode, which only observes the JDK's
 *       scheduler
 *   <li>{@code SocketWaits}, {@code TimedParkHook}: goroutines wait for sockets and for time in
 *       their own scheduler
 *   <li>{@code Weaving}: transforms classes so that their loops yield
 *   <li>{@code Weaver}, {@code LoopPlan}, {@code LoopRewriter}: weave one class, find the loops of
 *       one method, and rewrite that method
 *   <li>{@code BubbleInstrumentation}, {@code StepRewriter}: the clock and the scheduling points of
 *       tests in a {@code Bubble}
 * </ul>
 */
@NullMarked
package io.heddle.agent;

import org.jspecify.annotations.NullMarked;
