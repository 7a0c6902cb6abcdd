/**
 * Access to another JVM on this machine, for {@code heddle dump}, {@code top} and {@code doctor}.
 *
 * <ul>
 * <li>{@link io.heddle.cli.attach.Target}: the connection, and the schedulers behind it
 * <li>{@link io.heddle.cli.attach.AttachedProperties}: the properties and flags of a JVM
 * <li>{@link io.heddle.cli.attach.JavaProcesses}: the JVMs of this user
 * <li>{@link io.heddle.cli.attach.TargetException}: why a process cannot be inspected
 * </ul>
 */
@NullMarked
package io.heddle.cli.attach;

import org.jspecify.annotations.NullMarked;
