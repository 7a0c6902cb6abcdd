/** Reads trace files ({@code docs/internals/trace-format.md}), checks and shows them. Uses nothing but the JDK. */
@NullMarked
package io.heddle.cli.trace;

import org.jspecify.annotations.NullMarked;
