/**
 * The soak run, for an hour or for seconds: see docs/internals/soak.md.
 *
 * <ul>
 * <li>{@link io.heddle.stress.soak.SoakTest}: the test; {@link io.heddle.stress.soak.Soak}: the
 * main class; {@link io.heddle.stress.soak.Plan}: its command line
 * <li>{@link io.heddle.stress.soak.World}, {@link io.heddle.stress.soak.Worker},
 * {@link io.heddle.stress.soak.Load}: what the workers share, and how they repeat steps
 * <li>{@link io.heddle.stress.soak.Monitor}, {@link io.heddle.stress.soak.PatientClock}: detect a
 * stalled worker
 * <li>{@link io.heddle.stress.soak.Tally}, {@link io.heddle.stress.soak.Descriptors},
 * {@link io.heddle.stress.soak.Quarters}, {@link io.heddle.stress.soak.Report}: what is measured
 * and reported
 * <li>the other classes: one kind of work each
 * </ul>
 */
package io.heddle.stress.soak;
