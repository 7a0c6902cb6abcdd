/**
 * Carries the thread-local values that Micrometer's <i>context-propagation</i> knows to goroutines.
 *
 * <ul>
 *   <li>{@link io.heddle.context.propagation.ContextPropagationCarry}: the adapter. To have it on
 *       the class path or module path is enough.
 * </ul>
 */
@org.jspecify.annotations.NullMarked
package io.heddle.context.propagation;
