/**
 * The means by which an M waits: by sleeping or by spinning.
 *
 * <ul>
 *   <li>{@link io.heddle.internal.note.Note}: a one-shot event on which one M sleeps
 *   <li>{@link io.heddle.internal.note.RuntimeLock}: the spin lock of scheduler state
 * </ul>
 */
@NullMarked
package io.heddle.internal.note;

import org.jspecify.annotations.NullMarked;
