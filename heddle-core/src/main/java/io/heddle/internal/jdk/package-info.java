/**
 * Rank 2: the only code that names a JDK internal. A new JDK has to be studied for this package and
 * {@code src/main/boot}.
 *
 * <p>In reading order:
 *
 * <ul>
 *   <li>Virtual threads: {@link VirtualThreads}, the operations that the JDK does not offer in
 *       public; {@link VirtualThreadHandles}, how they are found; {@link StateWord}, the JDK's
 *       state numbers; {@link ThreadState}, the state that the scheduler sees; {@link JdkLookup},
 *       access to java.base.
 *   <li>Mounting: {@link Mounter}, running, parking and yielding; {@link OwnMounter} and {@link
 *       JdkMounter}, its two implementations; {@link MounterChoice}, which of them is used; {@link
 *       HeddleMountLoader}, which defines {@code java.lang.HeddleMount}; {@link Carrier}, the
 *       superclass of an M.
 *   <li>Patches, which need the agent: {@link ClassPatcher}, how a loaded class of the JDK is
 *       changed; {@link HeadInsertion}, the most frequent change; {@link ThreadBuilderPatch},
 *       which scheduler a new thread gets; {@link TimedParkPatch}, how timed parks are woken;
 *       {@link SocketPollPatch}, how sockets are waited for; {@link ClockPatch}, a replaced clock
 *       for tests; {@link YieldPoint}, the check in woven code.
 *   <li>Diagnosis: {@link BlockedOn}, the thread that a thread waits for; {@link MonitorOwners},
 *       monitors held and wanted; {@link DumpContainer}, goroutines in the JDK's thread dumps.
 *   <li>The system: {@link Pollers}, the JDK's socket pollers; {@link CpuTime}, CPU time of a
 *       thread; {@link OsThread}, run state of a thread; {@link NativeCalls}, functions of the C
 *       library.
 * </ul>
 */
@NullMarked
package io.heddle.internal.jdk;

import org.jspecify.annotations.NullMarked;
