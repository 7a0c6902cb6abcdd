/**
 * Servers and other programs in JVMs of their own, with and without the agent, and the load on
 * them. The programs, which do not refer to Heddle, are in the packages {@code acme} and {@code
 * acme.spring}; programs that use Heddle are in {@code recipes}.
 *
 * <ul>
 *   <li>{@link io.heddle.servers.Report}: the main class; loads the servers in turns, and prints a
 *       table; {@link io.heddle.servers.ReportOptions}: its options
 *   <li>{@link io.heddle.servers.ServerKind}: the servers
 *   <li>{@link io.heddle.servers.ChildProgram}: a program in its own JVM; {@link
 *       io.heddle.servers.AgentPaths}: its paths; {@link io.heddle.servers.WatchedMain}: its main
 *       class, which obeys commands
 *   <li>{@link io.heddle.servers.LoadGenerator}: sends requests and checks the answers; {@link
 *       io.heddle.servers.RequestSpec}: a kind of request; {@link
 *       io.heddle.servers.HttpConnection}: a connection
 *   <li>{@link io.heddle.servers.Postgres}: a PostgreSQL server
 * </ul>
 */
package io.heddle.servers;
