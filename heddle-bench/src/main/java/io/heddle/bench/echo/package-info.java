/**
 * An echo server under load, in a plain JVM and adopted by the agent.
 *
 * <ul>
 *   <li>{@link io.heddle.bench.echo.EchoReport}: the main class; starts both servers, and loads
 *       them in turns
 *   <li>{@link io.heddle.bench.echo.EchoServer}: the server, which does not refer to Heddle
 *   <li>{@link io.heddle.bench.echo.EchoLoad}: its clients
 * </ul>
 */
package io.heddle.bench.echo;
