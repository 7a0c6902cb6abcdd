/** Goroutines for the JVM: Go's G-P-M scheduler under JDK virtual threads. Start at {@link io.heddle.Go}. */
@NullMarked
package io.heddle;

import org.jspecify.annotations.NullMarked;
