/**
 * Reads, checks and shows trace files ({@code docs/internals/trace-format.md}). Depends only on the
 * JDK.
 */
@NullMarked
package io.heddle.cli.trace;

import org.jspecify.annotations.NullMarked;
