/** {@code heddle run}: the command line of the JVM that a program runs in, and that JVM as a child of this one. */
@NullMarked
package io.heddle.cli.run;

import org.jspecify.annotations.NullMarked;
