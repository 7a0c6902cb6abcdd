/**
 * The only code, together with {@code src/main/boot}, that names internals of the JDK. A maintainer
 * must check both against each new JDK.
 *
 * <p>In reading order:
 *
 * <ul>
 *   <li>The JDK: {@link JdkRelease}, the table of the releases that Heddle knows; {@link
 *       JdkFeature}, the features that depend on the release; {@link OffNotices}, the lines that
 *       tell users which features are off; {@link VirtualThreadTrial}, a trial run on an unknown
 *       release; {@link TrialThread}, the thread of such a trial.
 *   <li>Virtual threads: {@link VirtualThreads}, the operations that the JDK does not offer in
 *       public; {@link VirtualThreadHandles}, how they are found; {@link StateWord}, the JDK's
 *       state numbers; {@link ThreadState}, the state that the scheduler sees; {@link JdkLookup},
 *       access to java.base.
 *   <li>Mounting: {@link Mounter}, running, parking and yielding; {@link OwnMounter} and {@link
 *       JdkMounter}, its two implementations; {@link MounterChoice}, which of them is used; {@link
 *       OwnMountCheck}, whether {@link OwnMounter} fits this JVM, with {@link MountedClasses},
 *       {@link MountedCode} and {@link KnownMountCode} (the code of the JDK) and {@link
 *       Redefinitions} (changes by other agents); {@link MounterTrial}, its first run; {@link
 *       HeddleMountLoader}, which defines {@code java.lang.HeddleMount}; {@link Carrier}, the
 *       superclass of an M; {@link CarrierQueue}, what the JDK's queues ask a carrier.
 *   <li>Patches: {@link ClassChanges}, how a class of the JDK is changed: by an agent ({@link
 *       Retransformation}), or before it is loaded ({@link EarlyDefinition}); {@link ClassChange},
 *       one change; {@link ClassFileEdit}, calls replaced in a class file; {@link BootClasses}, the
 *       classes that the changed classes call; {@link HeadInsertion}, code inserted into a method;
 *       {@link ThreadBuilderPatch}, which scheduler a new thread gets; {@link TimedParkPatch}, how
 *       timed parks are woken; {@link SocketPollPatch}, how sockets are waited for; {@link
 *       ClockPatch}, a replaced clock for tests; {@link YieldPoint}, the check in woven code.
 *   <li>Diagnosis: {@link BlockedOn}, the thread that a thread waits for; {@link WaitIndex},
 *       the same for many threads; {@link MonitorOwners}, monitors held and wanted; {@link
 *       UnmountedStack}, how a stack is read; {@link StackSuspension}, how JDK 25 keeps a thread
 *       unmounted while its stack is read; {@link FinalReferences}, how an observer learns that
 *       nothing else refers to an object; {@link DumpContainer}, goroutines in the JDK's thread
 *       dumps; {@link WaitReason}, why a thread waits, as users read it; {@link JdkCarriers}, the
 *       carriers of the JDK's own scheduler.
 *   <li>The system: {@link Pollers}, the JDK's socket pollers; {@link CpuTime}, CPU time of a
 *       thread; {@link OsThread}, run state of a thread; {@link OsPriority}, its priority; {@link
 *       NativeCalls}, functions of the C library; {@link AppClassPath}, what a launcher does before
 *       a program starts; {@link JvmFlags}, the flags of this JVM.
 * </ul>
 */
@NullMarked
package io.heddle.internal.jdk;

import org.jspecify.annotations.NullMarked;
