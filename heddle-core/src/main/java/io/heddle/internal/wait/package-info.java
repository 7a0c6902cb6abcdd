/** Parking places: how a thread waits for what another one of ours brings. */
@NullMarked
package io.heddle.internal.wait;

import org.jspecify.annotations.NullMarked;
