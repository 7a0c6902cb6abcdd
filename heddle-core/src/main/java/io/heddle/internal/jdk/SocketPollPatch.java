package io.heddle.internal.jdk;

import io.heddle.internal.jdk.JdkRelease.SocketStops;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * Patches the JDK's socket classes so that Heddle decides how a virtual thread waits for a socket.
 */
public final class SocketPollPatch {
  /*
   * In the JDK a virtual thread waits for a socket in sun.nio.ch.Poller.poll and for a selector in
   * pollSelector. A close or half-close of the socket wakes the thread. Six classes call these
   * methods. The patch makes the six classes call methods of the same names in HeddlePoll, which is
   * defined in their package.
   * HeddlePoll asks Heddle, and calls the poller only if Heddle declines. The poller, whose
   * initializer starts threads, is thus not initialized unless it is needed.
   *
   * The initializer of Net, which all sockets use, first calls IOUtil.load. A seventh patch makes
   * it call HeddlePoll.load, which tells Heddle that the program begins to use sockets.
   *
   * How a wait is ended depends on the release. Up to JDK 26: by stopPoll(fd, event) and
   * stopPoll(fd), which HeddlePoll passes to Heddle, and to the poller if that is in use. From JDK
   * 27 on: by an unpark of the waiting thread. A half-close unparks the thread through
   * stopPoll(Thread), which does nothing else. HeddlePoll.stopPoll(Thread) calls unpark directly,
   * so that the poller is not initialized. Heddle's waits end at an unpark, like every park. An
   * unpark that comes before the park leaves a permit. Another park can take that permit only
   * before NetPolling checks whether the socket is open. In that case the check sees a close, and
   * epoll reports a half-close.
   *
   * Two of the classes pass the FileDescriptor object to HeddlePoll.poll instead of the number that
   * they read from it. The object identifies a socket: each socket has a new object, but numbers
   * are reused. A datagram channel passes the number, because it can attach another socket to the
   * same object (DatagramChannelImpl.repairSocket).
   *
   * A class of java.base cannot see Heddle's classes, so HeddlePoll calls method handles.
   * HeddlePoll copies the handles from its nested class PollHandles, whose fields are written
   * first, into static final fields, so that the compilers inline through them.
   */
  private static final String PACKAGE = "sun.nio.ch.";
  private static final String POLLER = "sun/nio/ch/Poller";
  private static final String NET = "sun.nio.ch.Net";
  private static final String POLL_CLASS = "sun/nio/ch/HeddlePoll";
  private static final String POLL = "poll";
  private static final String STOP = "stopPoll";
  private static final String POLL_ARGUMENTS = "IJLjava/util/function/BooleanSupplier;)V";
  private static final String FD = "Ljava/io/FileDescriptor;";

  /** How Heddle lets a thread wait for a socket. No method of this interface throws. */
  public interface Waiters {
    /**
     * Lets the calling virtual thread wait for a descriptor. The call may return early for no
     * reason.
     *
     * @param owner the object that owns the descriptor as long as it is open; null if not known
     * @param event {@code POLLIN} or {@code POLLOUT}
     * @param nanos how long to wait at most; 0 is forever
     * @param isOpen tells whether to wait at all; null means always
     * @return false, without having waited, if the thread must wait in the JDK's poller
     */
    boolean poll(
        @Nullable Object owner, int fd, int event, long nanos, @Nullable BooleanSupplier isOpen);

    /** Called when the program begins to use sockets, on any thread. */
    void begin();

    /** Wakes the threads that wait for {@code event} of {@code fd}; 0 means any event. */
    void stop(int fd, int event);
  }

  /**
   * Whether the JDK's poller has been used. If so, the poller must be told too when a socket is
   * closed, because threads may wait there.
   */
  private static volatile boolean pollerUsed;

  private static volatile boolean open;
  private static volatile @Nullable Waiters waiters;

  private SocketPollPatch() {}

  static boolean isOpen() {
    return open;
  }

  /**
   * Applies the patch.
   *
   * @throws ReflectiveOperationException if this is a JDK with other internals. All threads then
   *     wait for sockets in the JDK's poller. Without an agent some classes may have been changed
   */
  public static void open(ClassChanges classes, Waiters waiters)
      throws ReflectiveOperationException {
    Class<?> poller = Class.forName(Pollers.POLLER, false, null);
    MethodHandles.Lookup lookup = JdkLookup.in(poller);
    pollerUsed = !Unsafe.getUnsafe().shouldBeInitialized(poller);
    definePollClasses(lookup);
    SocketPollPatch.waiters = waiters; // before a changed class can let a thread wait
    try {
      classes.apply(lookup, POLL_CLASS, changes());
    } catch (ReflectiveOperationException e) {
      // If only some classes have been changed, no thread may wait in Heddle: a class that has not
      // been changed would not wake it.
      SocketPollPatch.waiters = null;
      throw e;
    }
    open = true;
    try {
      classes.apply(lookup, POLL_CLASS, Map.of(NET, SocketPollPatch::announceUse));
    } catch (ReflectiveOperationException e) {
      waiters.begin(); // Net will not tell when the program begins
    }
    if (!Unsafe.getUnsafe().shouldBeInitialized(Class.forName(NET, false, null))) {
      waiters.begin(); // sockets have been used before
    }
  }

  // The next three methods are called by HeddlePoll.

  /** Called by the initializer of the JDK's class Net. */
  static void begin() {
    Waiters told = waiters;
    if (told != null) {
      told.begin();
    }
  }

  static boolean ask(
      @Nullable Object owner, int fd, int event, long nanos, @Nullable BooleanSupplier isOpen) {
    Waiters asked = waiters;
    if (asked != null && asked.poll(owner, fd, event, nanos, isOpen)) {
      return true;
    }
    if (!pollerUsed) {
      pollerUsed = true; // written before any thread waits in the JDK's poller
      Pollers.start();
    }
    return false;
  }

  /**
   * Wakes the threads that wait in Heddle for {@code event} of {@code fd}. Returns false if the
   * JDK's poller must be told too.
   */
  static boolean askStop(int fd, int event) {
    Waiters asked = waiters;
    if (asked != null) {
      asked.stop(fd, event);
    }
    return !pollerUsed;
  }

  private static void definePollClasses(MethodHandles.Lookup lookup)
      throws ReflectiveOperationException {
    MethodHandles.Lookup here = MethodHandles.lookup();
    Class<?> handles = BootClasses.define(lookup, POLL_CLASS + "$PollHandles");
    BootClasses.set(
        handles,
        POLL,
        here.findStatic(
            SocketPollPatch.class,
            "ask",
            MethodType.methodType(
                boolean.class,
                Object.class,
                int.class,
                int.class,
                long.class,
                BooleanSupplier.class)));
    BootClasses.set(
        handles,
        STOP,
        here.findStatic(
            SocketPollPatch.class,
            "askStop",
            MethodType.methodType(boolean.class, int.class, int.class)));
    BootClasses.set(
        handles,
        "begin",
        here.findStatic(SocketPollPatch.class, "begin", MethodType.methodType(void.class)));
    Class<?> _ = BootClasses.define(lookup, POLL_CLASS);
  }

  /** Returns the change of each class. */
  private static Map<String, ClassChange> changes() {
    Owner none = (_, _) -> "(I" + POLL_ARGUMENTS; // these classes still pass the number
    Map<String, ClassChange> changes = new LinkedHashMap<>();
    add(changes, new PollCalls("NioSocketImpl", 3, SocketPollPatch::passOwnerOfSocket));
    add(changes, new PollCalls("SelChImpl", 1, SocketPollPatch::passOwnerOfChannel));
    add(changes, new PollCalls("DatagramChannelImpl", 1, none));
    add(changes, new PollCalls("SocketChannelImpl", 2, none));
    if (JdkRelease.current().socketStops() == SocketStops.BY_DESCRIPTOR) {
      add(changes, new PollCalls("NativeDispatcher", 1, none));
    }
    add(changes, new PollCalls("EPollSelectorImpl", 2, none));
    return changes;
  }

  /**
   * Makes the initializer of {@code Net} call {@code HeddlePoll.load} in place of {@code
   * IOUtil.load}.
   */
  private static byte[] announceUse(byte[] file) {
    ClassFileEdit edit = new ClassFileEdit(file);
    int changed = 0;
    for (int i = 0; i < edit.count(); i++) {
      if (edit.isCall(i, ClassFileEdit.INVOKE_STATIC, "sun/nio/ch/IOUtil", "load", "()V")) {
        edit.callStatic(i, POLL_CLASS, "load", "()V");
        changed++;
      }
    }
    if (changed != 1) {
      throw new IllegalStateException(NET + " does not load IOUtil once");
    }
    return edit.toBytes();
  }

  private static void add(Map<String, ClassChange> changes, PollCalls change) {
    changes.put(change.name(), change);
  }

  /**
   * May make a call of {@code Poller.poll} pass the FileDescriptor of a socket. Returns the method
   * descriptor of the arguments that the call then passes; null if the code before the call is not
   * known.
   */
  private interface Owner {
    @Nullable String pass(ClassFileEdit edit, int call);
  }

  /** For {@code poll(fdVal(fd), event, nanos, this::isOpen)}: removes the call of fdVal. */
  private static @Nullable String passOwnerOfSocket(ClassFileEdit edit, int call) {
    int fdVal = call - 5;
    if (!edit.isCall(
            fdVal,
            ClassFileEdit.INVOKE_STATIC,
            "sun/nio/ch/NioSocketImpl",
            "fdVal",
            "(" + FD + ")I")
        || !edit.endsWith(
            call,
            ClassFileEdit.INVOKE_STATIC,
            ClassFileEdit.ILOAD_2,
            ClassFileEdit.LLOAD_3,
            ClassFileEdit.ALOAD_0,
            ClassFileEdit.INVOKE_DYNAMIC,
            ClassFileEdit.INVOKE_STATIC)) {
      return null;
    }
    edit.remove(fdVal);
    return "(" + FD + POLL_ARGUMENTS;
  }

  /** For {@code poll(getFDVal(), event, nanos, this::isOpen)}: calls getFD instead. */
  private static @Nullable String passOwnerOfChannel(ClassFileEdit edit, int call) {
    int getFdVal = call - 5;
    String channel = "sun/nio/ch/SelChImpl";
    if (!edit.isCall(getFdVal, ClassFileEdit.INVOKE_INTERFACE, channel, "getFDVal", "()I")
        || !edit.endsWith(
            call,
            ClassFileEdit.INVOKE_INTERFACE,
            ClassFileEdit.ILOAD_1,
            ClassFileEdit.LLOAD_2,
            ClassFileEdit.ALOAD_0,
            ClassFileEdit.INVOKE_DYNAMIC,
            ClassFileEdit.INVOKE_STATIC)) {
      return null;
    }
    edit.callInterface(getFdVal, channel, "getFD", "()" + FD);
    return "(" + FD + POLL_ARGUMENTS;
  }

  /**
   * Redirects the poller calls of one class to HeddlePoll.
   *
   * @param simpleName the class
   * @param expected the number of these calls
   * @param owner changes what the calls of {@code poll} pass
   */
  private record PollCalls(String simpleName, int expected, Owner owner) implements ClassChange {
    String name() {
      return PACKAGE + simpleName;
    }

    @Override
    public byte[] apply(byte[] file) {
      ClassFileEdit edit = new ClassFileEdit(file);
      int seen = 0;
      for (int i = 0; i < edit.count(); i++) {
        if (edit.isCall(i, ClassFileEdit.INVOKE_STATIC, POLLER, null, null)) {
          seen++;
          redirect(edit, i);
        }
      }
      if (seen != expected) {
        throw new IllegalStateException(
            name() + " calls the poller " + seen + " times, and not " + expected);
      }
      return edit.toBytes();
    }

    private void redirect(ClassFileEdit edit, int call) {
      String method = edit.nameOfCall(call);
      String type = method.equals(POLL) ? owner.pass(edit, call) : edit.typeOfCall(call);
      if (type == null) {
        throw new IllegalStateException(name() + " calls the poller with other arguments");
      }
      edit.callStatic(call, POLL_CLASS, method, type);
    }
  }
}
