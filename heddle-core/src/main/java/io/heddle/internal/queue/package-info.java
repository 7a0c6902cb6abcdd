/** Rank 2: containers that know nothing of G, P and M. */
@NullMarked
package io.heddle.internal.queue;

import org.jspecify.annotations.NullMarked;
