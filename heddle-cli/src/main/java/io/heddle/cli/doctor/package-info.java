/**
 * {@code heddle doctor}: whether Heddle is active in a JVM, and what keeps it from working well.
 *
 * <ul>
 * <li>{@link io.heddle.cli.doctor.Checkup}: all checks of one JVM
 * <li>{@link io.heddle.cli.doctor.Finding}: the result of a check, and what to do
 * <li>{@link io.heddle.cli.doctor.Vitals}: the facts about a JVM that the checks use
 * <li>{@link io.heddle.cli.doctor.Status}: what a copy of Heddle has published in that JVM
 * <li>{@link io.heddle.cli.doctor.SystemLimits}: what the operating system and the container allow
 * <li>{@link io.heddle.cli.doctor.JdkBugs}: the bugs of JDK builds that hit virtual threads
 * <li>{@link io.heddle.cli.doctor.ProbeCommand}: a command line changed so that it starts a probe
 * <li>{@link io.heddle.cli.doctor.Probe}: the program that runs instead of the user's
 * </ul>
 */
@NullMarked
package io.heddle.cli.doctor;

import org.jspecify.annotations.NullMarked;
