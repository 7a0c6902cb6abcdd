/** Rank 3: what the JDK's flight recorder is told. Emit only; nothing is loaded before a recorder is there. */
@NullMarked
package io.heddle.internal.jfr;

import org.jspecify.annotations.NullMarked;
