/** Rank 5: a page that shows what schedulers do, served from the process itself, if somebody asks for it. */
@NullMarked
package io.heddle.internal.dashboard;

import org.jspecify.annotations.NullMarked;
