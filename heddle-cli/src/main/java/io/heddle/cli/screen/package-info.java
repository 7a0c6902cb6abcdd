/** {@link io.heddle.cli.screen.Screen}, the output of the commands. */
@org.jspecify.annotations.NullMarked
package io.heddle.cli.screen;
