/** Rank 3: what the scheduler does, noted as it happens, and the thread that writes it down. Emits only. */
@NullMarked
package io.heddle.internal.trace;

import org.jspecify.annotations.NullMarked;
