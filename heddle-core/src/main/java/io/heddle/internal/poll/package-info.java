/** Rank 3: who is ready to read or write. Says so, and never schedules. */
@NullMarked
package io.heddle.internal.poll;

import org.jspecify.annotations.NullMarked;
