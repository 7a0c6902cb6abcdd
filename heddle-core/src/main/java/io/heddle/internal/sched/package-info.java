/** Rank 4: G, P, M and the scheduler, one file per verb. */
@NullMarked
package io.heddle.internal.sched;

import org.jspecify.annotations.NullMarked;
