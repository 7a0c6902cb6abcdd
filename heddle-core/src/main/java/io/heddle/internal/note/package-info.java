/** Rank 2: how an M blocks, the one-shot {@code Note}, and the runtime lock. */
@NullMarked
package io.heddle.internal.note;

import org.jspecify.annotations.NullMarked;
