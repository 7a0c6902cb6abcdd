/**
 * Rank 8: the Java agent, which runs before the program.
 *
 * <ul>
 *   <li>{@code Agent} (in {@code src/main/java8}): the entry points that the JVM calls; compiled for
 *       Java 8, so that an older JVM gets a sentence instead of an error
 *   <li>{@link io.heddle.agent.AgentStart}: what the agent does on a JDK that Heddle supports
 *   <li>{@code Options}: the options of {@code -javaagent}
 *   <li>{@code Filter}: which threads to adopt, which classes to weave
 *   <li>{@code Adoption}: virtual threads of the program become goroutines
 *   <li>{@code SocketWaits}, {@code TimedParkHook}: goroutines wait for sockets and for time in
 *       their own scheduler
 *   <li>{@code Weaving}: transforms classes so that their loops yield
 *   <li>{@code Weaver}, {@code LoopPlan}, {@code LoopRewriter}: one class, the loops of one method,
 *       and the rewriting of it
 *   <li>{@code BubbleInstrumentation}, {@code StepRewriter}: the clock and the scheduling points of
 *       tests in a {@code Bubble}
 * </ul>
 */
@NullMarked
package io.heddle.agent;

import org.jspecify.annotations.NullMarked;
