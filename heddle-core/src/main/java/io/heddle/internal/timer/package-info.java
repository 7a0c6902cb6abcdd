/** Rank 3: deadlines, and the heap in which they wait for their time. */
@NullMarked
package io.heddle.internal.timer;

import org.jspecify.annotations.NullMarked;
