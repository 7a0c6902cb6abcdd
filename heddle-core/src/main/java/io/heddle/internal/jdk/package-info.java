/** Rank 2: the only code that names a JDK internal. */
@NullMarked
package io.heddle.internal.jdk;

import org.jspecify.annotations.NullMarked;
