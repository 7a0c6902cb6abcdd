/**
 * Decides whether new work may begin: limits on the number of goroutines, and overload. The package
 * knows nothing of G, M and P.
 *
 * <ul>
 *   <li>{@link io.heddle.internal.admit.Gate}: lets at most n goroutines run at a time
 *   <li>{@link io.heddle.internal.admit.GateCounts}: what the gates of one name have counted
 *   <li>{@link io.heddle.internal.admit.Gates}: the gates of one scheduler
 *   <li>{@link io.heddle.internal.admit.DelayGate}: sheds work while goroutines wait too long
 * </ul>
 */
@NullMarked
package io.heddle.internal.admit;

import org.jspecify.annotations.NullMarked;
