/**
 * The network poller. It wakes threads that wait for a descriptor, and never schedules.
 *
 * <ul>
 *   <li>{@link io.heddle.internal.poll.NetPoller}: the interface to the scheduler
 *   <li>{@link io.heddle.internal.poll.PollDesc}: a watched descriptor and the threads that wait
 *       for the descriptor
 *   <li>{@link io.heddle.internal.poll.EpollPoller}: the implementation on Linux
 *   <li>{@code PollTable}: the watched descriptors by number
 *   <li>{@code Epoll}: the system calls
 * </ul>
 */
@NullMarked
package io.heddle.internal.poll;

import org.jspecify.annotations.NullMarked;
