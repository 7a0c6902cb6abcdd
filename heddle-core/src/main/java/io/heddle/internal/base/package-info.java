/** Rank 1: what every room may use. No threads, no scheduling. */
@NullMarked
package io.heddle.internal.base;

import org.jspecify.annotations.NullMarked;
