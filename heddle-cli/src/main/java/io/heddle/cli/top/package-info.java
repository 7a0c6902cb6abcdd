/** {@code heddle top}: readings of a scheduler, and how they are shown. */
@NullMarked
package io.heddle.cli.top;

import org.jspecify.annotations.NullMarked;
