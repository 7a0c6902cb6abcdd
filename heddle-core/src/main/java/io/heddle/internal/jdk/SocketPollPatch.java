package io.heddle.internal.jdk;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/** The place where the JDK's sockets have a virtual thread wait, changed so that we are asked first. */
public final class SocketPollPatch {
  /*
   * A virtual thread waits for a socket in sun.nio.ch.Poller.poll, for a selector in pollSelector, and is woken by a close
   * through stopPoll. The few classes that call these are changed to call methods of the same names in HeddlePoll, which is
   * made here, in their package, and asks us, then the poller if we do not want it. So the poller is not even initialised,
   * which would start its threads, unless somebody needs it.
   *
   * Besides, poll is told the FileDescriptor, which is made anew for each socket, while numbers come back. A datagram channel
   * does not tell: it can put another socket behind the same one (DatagramChannelImpl.repairSocket).
   *
   * A class of java.base cannot see ours, so HeddlePoll calls method handles. It has them from HeddlePollHandles, which is
   * written first, into final fields, so that the compiler sees through them.
   */
  private static final String PACKAGE = "sun.nio.ch.";
  private static final ClassDesc POLLER = ClassDesc.of(Pollers.POLLER);
  private static final ClassDesc DOOR = ClassDesc.of(PACKAGE + "HeddlePoll");
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
  private static final MethodTypeDesc ASK_TYPE =
      MethodTypeDesc.of(CD_boolean, CD_Object, CD_int, CD_int, CD_long, SUPPLIER);
  private static final MethodTypeDesc ASK_STOP_TYPE = MethodTypeDesc.of(CD_boolean, CD_int, CD_int);

  /** Net.POLLIN of Linux. */
  private static final int POLLIN = 1;

  /** What we do with them. Neither throws. */
  public interface Waiters {
    /**
     * The calling virtual thread waits for a descriptor, for up to {@code nanos} or, if that is 0, for ever; returns for no
     * reason, too.
     *
     * @param owner what has the descriptor for as long as it is open; null if that is not known
     * @param event {@code POLLIN} or {@code POLLOUT}
     * @param isOpen says whether to wait at all; null: always
     * @return false: it is to wait in the JDK's own way
     */
    boolean poll(
        @Nullable Object owner, int fd, int event, long nanos, @Nullable BooleanSupplier isOpen);

    /** Wakes those that wait for {@code fd} with that event; 0 is any. */
    void stop(int fd, int event);
  }

  /** Whether the JDK's own poller has been needed: then it is asked as well when a socket is closed. */
  private static volatile boolean pollerUsed;

  private static volatile boolean open;
  private static volatile @Nullable Waiters waiters;

  private SocketPollPatch() {}

  static boolean isOpen() {
    return open;
  }

  /**
   * From now on {@code waiters} is asked.
   *
   * @throws ReflectiveOperationException if this is not the JDK we know; then all is as it was
   */
  public static void open(Instrumentation instrumentation, Waiters waiters)
      throws ReflectiveOperationException {
    Class<?> poller = Class.forName(Pollers.POLLER, false, null);
    MethodHandles.Lookup lookup = BlockedOn.lookupIn(poller);
    SocketPollPatch.waiters = waiters;
    pollerUsed = !Unsafe.getUnsafe().shouldBeInitialized(poller);
    defineDoor(lookup);
    ClassPatcher.apply(instrumentation, changes());
    open = true;
  }

  // Called by HeddlePoll.

  static boolean ask(
      @Nullable Object owner, int fd, int event, long nanos, @Nullable BooleanSupplier isOpen) {
    Waiters asked = waiters;
    if (asked != null && asked.poll(owner, fd, event, nanos, isOpen)) {
      return true;
    }
    if (!pollerUsed) {
      pollerUsed = true; // before anybody waits there
      Pollers.start();
    }
    return false;
  }

  /** Whether that was all. */
  static boolean askStop(int fd, int event) {
    Waiters asked = waiters;
    if (asked != null) {
      asked.stop(fd, event);
    }
    return !pollerUsed;
  }

  private static void defineDoor(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
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
    Class<?> _ = lookup.defineClass(door());
  }

  private static byte[] handles() {
    int flags = ClassFile.ACC_STATIC | ClassFile.ACC_VOLATILE;
    return ClassFile.of()
        .build(
            HANDLES, clazz -> clazz.withField(POLL, HANDLE, flags).withField(STOP, HANDLE, flags));
  }

  private static byte[] door() {
    int flags = ClassFile.ACC_STATIC | ClassFile.ACC_FINAL;
    return ClassFile.of()
        .build(
            DOOR,
            clazz -> {
              clazz.withField(POLL, HANDLE, flags).withField(STOP, HANDLE, flags);
              clazz.withMethodBody(
                  "<clinit>",
                  MethodTypeDesc.of(CD_void),
                  ClassFile.ACC_STATIC,
                  code ->
                      code.getstatic(HANDLES, POLL, HANDLE)
                          .putstatic(DOOR, POLL, HANDLE)
                          .getstatic(HANDLES, STOP, HANDLE)
                          .putstatic(DOOR, STOP, HANDLE)
                          .return_());
              method(
                  clazz,
                  POLL,
                  POLL_FD_TYPE,
                  code ->
                      code.getstatic(DOOR, POLL, HANDLE)
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
                      code.getstatic(DOOR, POLL, HANDLE)
                          .aconst_null()
                          .iload(0)
                          .loadConstant(POLLIN)
                          .lload(1)
                          .aconst_null()
                          .invokevirtual(HANDLE, "invokeExact", ASK_TYPE),
                  code ->
                      code.iload(0).lload(1).invokestatic(POLLER, POLL_SELECTOR, SELECTOR_TYPE));
              method(
                  clazz,
                  STOP,
                  STOP_TYPE,
                  code ->
                      code.getstatic(DOOR, STOP, HANDLE)
                          .iload(0)
                          .iload(1)
                          .invokevirtual(HANDLE, "invokeExact", ASK_STOP_TYPE),
                  code -> code.iload(0).iload(1).invokestatic(POLLER, STOP, STOP_TYPE));
              method(
                  clazz,
                  STOP,
                  STOP_ALL_TYPE,
                  code ->
                      code.getstatic(DOOR, STOP, HANDLE)
                          .iload(0)
                          .iconst_0()
                          .invokevirtual(HANDLE, "invokeExact", ASK_STOP_TYPE),
                  code -> code.iload(0).invokestatic(POLLER, STOP, STOP_ALL_TYPE));
            });
  }

  /** A static method that does {@code ask} and, if that is false, {@code otherwise}. */
  private static void method(
      java.lang.classfile.ClassBuilder clazz,
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

  /** For each class that calls the poller, what to put on the stack for a FileDescriptor, and how often it calls. */
  private static Map<Class<?>, ClassTransform> changes() throws ReflectiveOperationException {
    Map<Class<?>, ClassTransform> changes = new HashMap<>();
    add(changes, "NioSocketImpl", 3, code -> code.aload(1)); // park(FileDescriptor fd, …)
    add(
        changes,
        "SelChImpl",
        1,
        code -> code.aload(0).invokeinterface(CHANNEL, "getFD", MethodTypeDesc.of(FD)));
    add(changes, "DatagramChannelImpl", 1, CodeBuilder::aconst_null);
    add(changes, "SocketChannelImpl", 2, CodeBuilder::aconst_null);
    add(changes, "NativeDispatcher", 1, CodeBuilder::aconst_null);
    add(changes, "EPollSelectorImpl", 2, CodeBuilder::aconst_null);
    return changes;
  }

  private static void add(
      Map<Class<?>, ClassTransform> changes, String name, int calls, Consumer<CodeBuilder> fd)
      throws ReflectiveOperationException {
    PollCalls redirection = new PollCalls(name, calls, fd);
    changes.put(
        Class.forName(PACKAGE + name, false, null),
        ClassTransform.transformingMethodBodies(redirection::redirect)
            .andThen(ClassTransform.endHandler(_ -> redirection.check())));
  }

  /** The calls of one class. */
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

    void redirect(CodeBuilder code, CodeElement element) {
      if (!(element instanceof InvokeInstruction call && isForPoller(call))) {
        code.with(element);
        return;
      }
      seen++;
      if (call.name().equalsString(POLL)) {
        fd.accept(code);
        code.invokestatic(DOOR, POLL, POLL_FD_TYPE);
      } else {
        code.invokestatic(DOOR, call.name().stringValue(), call.typeSymbol());
      }
    }

    private static boolean isForPoller(InvokeInstruction call) {
      return call.opcode() == Opcode.INVOKESTATIC && call.owner().matches(POLLER);
    }

    void check() {
      if (seen != expected) {
        throw new IllegalStateException(
            PACKAGE + name + " calls the poller " + seen + " times, and not " + expected);
      }
    }
  }
}
