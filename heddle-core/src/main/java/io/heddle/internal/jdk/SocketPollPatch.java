package io.heddle.internal.jdk;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.heddle.internal.jdk.JdkRelease.SocketStops;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * Patches the JDK's socket classes so that Heddle decides how a virtual thread waits for a socket.
 */
public final class SocketPollPatch {
  /*
   * In the JDK a virtual thread waits for a socket in sun.nio.ch.Poller.poll and for a selector in
   * pollSelector. A close or half-close wakes it. Six classes call these methods. The patch
   * makes them call methods of the same names in HeddlePoll, which is defined in their package.
   * HeddlePoll asks Heddle, and calls the poller only if Heddle declines. The poller, whose
   * initializer starts threads, is thus not initialized unless it is needed.
   *
   * How a wait is ended depends on the release. Up to JDK 26: by stopPoll(fd, event) and
   * stopPoll(fd), which HeddlePoll passes to Heddle, and to the poller if that is in use. From JDK
   * 27 on: by an unpark of the waiting thread, for a half-close through stopPoll(Thread), which
   * does nothing else. HeddlePoll replaces that call by the unpark itself, so that it does not
   * initialize the poller. Heddle's waits end at an unpark, like every park. An unpark that comes
   * before the park leaves a permit. Another park can take that permit only before NetPolling
   * checks whether the socket is open. In that case the check sees a close, and epoll reports a
   * half-close.
   *
   * HeddlePoll.poll also gets the FileDescriptor object, which identifies a socket: each socket has
   * a new object, but descriptor numbers are reused. A datagram channel passes null, because it can
   * attach another socket to the same object (DatagramChannelImpl.repairSocket).
   *
   * A class of java.base cannot see Heddle's classes, so HeddlePoll calls method handles.
   * HeddlePoll copies the handles from HeddlePollHandles, whose fields are written first, into
   * static final fields, so that the compilers inline through them.
   */
  private static final String PACKAGE = "sun.nio.ch.";
  private static final ClassDesc POLLER = ClassDesc.of(Pollers.POLLER);
  private static final ClassDesc POLL_CLASS = ClassDesc.of(PACKAGE + "HeddlePoll");
  private static final ClassDesc HANDLES = ClassDesc.of(PACKAGE + "HeddlePollHandles");
  private static final ClassDesc HANDLE = ClassDesc.of("java.lang.invoke.MethodHandle");
  private static final ClassDesc FD = ClassDesc.of("java.io.FileDescriptor");
  private static final ClassDesc SUPPLIER = ClassDesc.of("java.util.function.BooleanSupplier");
  private static final ClassDesc CHANNEL = ClassDesc.of(PACKAGE + "SelChImpl");

  private static final String POLL = "poll";
  private static final String POLL_SELECTOR = "pollSelector";
  private static final String STOP = "stopPoll";
  private static final MethodTypeDesc POLL_TYPE =
      MethodTypeDesc.of(CD_void, CD_int, CD_int, CD_long, SUPPLIER);
  private static final MethodTypeDesc POLL_FD_TYPE =
      POLL_TYPE.insertParameterTypes(POLL_TYPE.parameterCount(), FD);
  private static final MethodTypeDesc SELECTOR_TYPE = MethodTypeDesc.of(CD_void, CD_int, CD_long);
  private static final MethodTypeDesc STOP_TYPE = MethodTypeDesc.of(CD_void, CD_int, CD_int);
  private static final MethodTypeDesc STOP_ALL_TYPE = MethodTypeDesc.of(CD_void, CD_int);
  private static final MethodTypeDesc STOP_THREAD_TYPE =
      MethodTypeDesc.of(CD_void, ClassDesc.of("java.lang.Thread"));
  private static final ClassDesc PARKS = ClassDesc.of("java.util.concurrent.locks.LockSupport");
  private static final MethodTypeDesc ASK_TYPE =
      MethodTypeDesc.of(CD_boolean, CD_Object, CD_int, CD_int, CD_long, SUPPLIER);
  private static final MethodTypeDesc ASK_STOP_TYPE = MethodTypeDesc.of(CD_boolean, CD_int, CD_int);

  /**
   * The number of the event POLLIN (the descriptor is readable) on Linux. A thread that waits for a
   * selector waits for this event.
   */
  private static final int POLLIN = 1;

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
  }

  // The next two methods are called by HeddlePoll.

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
    MethodHandle ask =
        here.findStatic(
            SocketPollPatch.class,
            "ask",
            MethodType.methodType(
                boolean.class,
                Object.class,
                int.class,
                int.class,
                long.class,
                BooleanSupplier.class));
    MethodHandle askStop =
        here.findStatic(
            SocketPollPatch.class,
            "askStop",
            MethodType.methodType(boolean.class, int.class, int.class));
    Class<?> handles = lookup.defineClass(handles());
    lookup.findStaticVarHandle(handles, POLL, MethodHandle.class).setVolatile(ask);
    lookup.findStaticVarHandle(handles, STOP, MethodHandle.class).setVolatile(askStop);
    Class<?> _ = lookup.defineClass(pollClass());
  }

  private static byte[] handles() {
    int flags = ClassFile.ACC_STATIC | ClassFile.ACC_VOLATILE;
    return ClassFile.of()
        .build(
            HANDLES, clazz -> clazz.withField(POLL, HANDLE, flags).withField(STOP, HANDLE, flags));
  }

  private static byte[] pollClass() {
    int flags = ClassFile.ACC_STATIC | ClassFile.ACC_FINAL;
    return ClassFile.of()
        .build(
            POLL_CLASS,
            clazz -> {
              clazz.withField(POLL, HANDLE, flags).withField(STOP, HANDLE, flags);
              clazz.withMethodBody(
                  "<clinit>",
                  MethodTypeDesc.of(CD_void),
                  ClassFile.ACC_STATIC,
                  code ->
                      code.getstatic(HANDLES, POLL, HANDLE)
                          .putstatic(POLL_CLASS, POLL, HANDLE)
                          .getstatic(HANDLES, STOP, HANDLE)
                          .putstatic(POLL_CLASS, STOP, HANDLE)
                          .return_());
              method(
                  clazz,
                  POLL,
                  POLL_FD_TYPE,
                  code ->
                      code.getstatic(POLL_CLASS, POLL, HANDLE)
                          .aload(5)
                          .iload(0)
                          .iload(1)
                          .lload(2)
                          .aload(4)
                          .invokevirtual(HANDLE, "invokeExact", ASK_TYPE),
                  code ->
                      code.iload(0)
                          .iload(1)
                          .lload(2)
                          .aload(4)
                          .invokestatic(POLLER, POLL, POLL_TYPE));
              method(
                  clazz,
                  POLL_SELECTOR,
                  SELECTOR_TYPE,
                  code ->
                      code.getstatic(POLL_CLASS, POLL, HANDLE)
                          .aconst_null()
                          .iload(0)
                          .loadConstant(POLLIN)
                          .lload(1)
                          .aconst_null()
                          .invokevirtual(HANDLE, "invokeExact", ASK_TYPE),
                  code ->
                      code.iload(0).lload(1).invokestatic(POLLER, POLL_SELECTOR, SELECTOR_TYPE));
              if (JdkRelease.current().socketStops() == SocketStops.BY_DESCRIPTOR) {
                withStopsByDescriptor(clazz);
              } else {
                clazz.withMethodBody(
                    STOP,
                    STOP_THREAD_TYPE,
                    ClassFile.ACC_STATIC,
                    code ->
                        code.aload(0).invokestatic(PARKS, "unpark", STOP_THREAD_TYPE).return_());
              }
            });
  }

  private static void withStopsByDescriptor(ClassBuilder clazz) {
    method(
        clazz,
        STOP,
        STOP_TYPE,
        code ->
            code.getstatic(POLL_CLASS, STOP, HANDLE)
                .iload(0)
                .iload(1)
                .invokevirtual(HANDLE, "invokeExact", ASK_STOP_TYPE),
        code -> code.iload(0).iload(1).invokestatic(POLLER, STOP, STOP_TYPE));
    method(
        clazz,
        STOP,
        STOP_ALL_TYPE,
        code ->
            code.getstatic(POLL_CLASS, STOP, HANDLE)
                .iload(0)
                .iconst_0()
                .invokevirtual(HANDLE, "invokeExact", ASK_STOP_TYPE),
        code -> code.iload(0).invokestatic(POLLER, STOP, STOP_ALL_TYPE));
  }

  /**
   * Writes a static method that executes {@code ask} and, if its result is false, {@code
   * otherwise}.
   */
  private static void method(
      ClassBuilder clazz,
      String name,
      MethodTypeDesc type,
      Consumer<CodeBuilder> ask,
      Consumer<CodeBuilder> otherwise) {
    clazz.withMethodBody(
        name,
        type,
        ClassFile.ACC_STATIC,
        code -> {
          ask.accept(code);
          code.ifThen(Opcode.IFEQ, otherwise::accept).return_();
        });
  }

  /**
   * Returns the change of each class. The last arguments of {@code add} are the number of poller
   * calls in the class, and code that pushes the FileDescriptor for such a call.
   */
  private static Map<String, ClassTransform> changes() {
    Map<String, ClassTransform> changes = new LinkedHashMap<>();
    add(changes, "NioSocketImpl", 3, code -> code.aload(1)); // the parameter fd of its method park
    add(
        changes,
        "SelChImpl",
        1,
        code -> code.aload(0).invokeinterface(CHANNEL, "getFD", MethodTypeDesc.of(FD)));
    add(changes, "DatagramChannelImpl", 1, CodeBuilder::aconst_null);
    add(changes, "SocketChannelImpl", 2, CodeBuilder::aconst_null);
    if (JdkRelease.current().socketStops() == SocketStops.BY_DESCRIPTOR) {
      add(changes, "NativeDispatcher", 1, CodeBuilder::aconst_null);
    }
    add(changes, "EPollSelectorImpl", 2, CodeBuilder::aconst_null);
    return changes;
  }

  private static void add(
      Map<String, ClassTransform> changes, String name, int calls, Consumer<CodeBuilder> fd) {
    changes.put(
        PACKAGE + name,
        ClassTransform.ofStateful(() -> new PollCalls(name, calls, fd).redirection()));
  }

  /**
   * Redirects the poller calls of one class to HeddlePoll, and counts them. Each transformation
   * uses a new object, because the count must begin at 0.
   */
  private static final class PollCalls {
    private final String name;
    private final int expected;
    private final Consumer<CodeBuilder> fd;
    private int seen;

    PollCalls(String name, int expected, Consumer<CodeBuilder> fd) {
      this.name = name;
      this.expected = expected;
      this.fd = fd;
    }

    ClassTransform redirection() {
      return ClassTransform.transformingMethodBodies(this::redirect)
          .andThen(ClassTransform.endHandler(_ -> check()));
    }

    private void redirect(CodeBuilder code, CodeElement element) {
      if (!(element instanceof InvokeInstruction call && isForPoller(call))) {
        code.with(element);
        return;
      }
      seen++;
      if (call.name().equalsString(POLL)) {
        fd.accept(code);
        code.invokestatic(POLL_CLASS, POLL, POLL_FD_TYPE);
      } else {
        code.invokestatic(POLL_CLASS, call.name().stringValue(), call.typeSymbol());
      }
    }

    private static boolean isForPoller(InvokeInstruction call) {
      return call.opcode() == Opcode.INVOKESTATIC && call.owner().matches(POLLER);
    }

    private void check() {
      if (seen != expected) {
        throw new IllegalStateException(
            PACKAGE + name + " calls the poller " + seen + " times, and not " + expected);
      }
    }
  }
}
