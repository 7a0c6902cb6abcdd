/** Rank 7: what {@code -javaagent:heddle.jar} runs before the program does. */
@NullMarked
package io.heddle.agent;

import org.jspecify.annotations.NullMarked;
