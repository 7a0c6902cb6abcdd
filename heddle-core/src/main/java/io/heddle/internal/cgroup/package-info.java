/**
 * What the container allows this process: CPU time, CPUs, memory and processes, as Linux' control
 * groups say. The package knows nothing of G, M and P.
 *
 * <ul>
 *   <li>{@link io.heddle.internal.cgroup.ContainerLimits}: the limits at one moment, and the
 *       defaults that follow from them
 *   <li>{@link io.heddle.internal.cgroup.CgroupReader}: reads them from the control groups of a
 *       process, in version 1 and 2
 *   <li>{@link io.heddle.internal.cgroup.Container}: the limits of this process, read at most once
 *       a second
 * </ul>
 */
@NullMarked
package io.heddle.internal.cgroup;

import org.jspecify.annotations.NullMarked;
