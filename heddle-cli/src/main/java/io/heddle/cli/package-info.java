/** The {@code heddle} command. */
@org.jspecify.annotations.NullMarked
package io.heddle.cli;
