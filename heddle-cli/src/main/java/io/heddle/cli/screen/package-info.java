/** What commands draw on. */
@org.jspecify.annotations.NullMarked
package io.heddle.cli.screen;
