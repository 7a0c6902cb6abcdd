/**
 * Carries the current context of OpenTelemetry to goroutines.
 *
 * <ul>
 *   <li>{@link io.heddle.opentelemetry.OpenTelemetryCarry}: the adapter. To have it on the class
 *       path or module path is enough, also with OpenTelemetry's agent.
 * </ul>
 */
@org.jspecify.annotations.NullMarked
package io.heddle.opentelemetry;
