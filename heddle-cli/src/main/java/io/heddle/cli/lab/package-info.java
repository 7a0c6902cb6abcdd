/** {@code heddle lab}: the same programs on five models of threads, side by side (rule C1). */
@NullMarked
package io.heddle.cli.lab;

import org.jspecify.annotations.NullMarked;
