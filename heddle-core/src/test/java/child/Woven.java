package child;

import io.heddle.Go;
import io.heddle.Scheduler;
import java.math.BigInteger;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;

/**
 * On one P, a goroutine computes forever in one of many ways, beside a ticker, which ticks only
 * when it gets the P. The program ends when the first goroutine has been asked to yield often
 * enough, or after many more ticks. It prints how the ticker got the P.
 */
public final class Woven {
  private static final Scheduler ONE_P =
      Scheduler.builder().name("woven").procs(1).timeSlice(Duration.ofMillis(20)).build();

  private static final int ENOUGH = Integer.getInteger("woven.ticks", 20_000);

  private static volatile long sink;
  private static volatile boolean over;

  // For afterCall: the ticker keeps the P until the call has ended without a P.
  private static volatile CallPhase call = CallPhase.NONE;
  private static volatile boolean ticks;

  private enum CallPhase {
    NONE,
    TO_COME,
    IN
  }

  private Woven() {}

  public static void main(String[] args) throws Exception {
    int wanted = Integer.parseInt(args[1]);
    call = args[0].equals("afterCall") ? CallPhase.TO_COME : CallPhase.NONE;
    ONE_P.go("hog", () -> sink = compute(args[0]));
    ONE_P.go("ticker", () -> tick(wanted)).join();
    System.out.println("preemptions=" + ONE_P.stats().preemptions());
    System.out.println("computing=" + ONE_P.handOffs().computing());
    System.out.println(
        "native=" + ONE_P.handOffs().inNative()); // a thread that is off the CPU looks the same
    System.out.println("pinned=" + ONE_P.handOffs().pinned());
    System.out.println("handoffs=" + ONE_P.stats().handoffs());
    System.out.println("threads=" + ONE_P.stats().threads());
    over = true;
    System.exit(0); // most of them are endless
  }

  private static void tick(int wanted) throws InterruptedException {
    while (call == CallPhase.TO_COME) {
      Thread.onSpinWait();
    }
    ticks = true;
    while (call == CallPhase.IN) {
      Thread.onSpinWait();
    }
    for (int i = 0; i < ENOUGH && ONE_P.stats().preemptions() < wanted; i++) {
      Go.sleep(Duration.ofMillis(1));
    }
  }

  private static long compute(String how) {
    return switch (how) {
      case "tight" -> tight();
      case "counted" -> counted();
      case "nested" -> nested(new int[4_000]);
      case "calls" -> calls();
      case "synchronized" -> inMonitor(new Object());
      case "synchronizedMethod" -> inMonitorOfClass();
      case "initialiser" -> Slow.VALUE;
      case "recursion" -> recursion(100);
      case "constructor" -> new Prologue(1).value;
      case "finally" -> tryFinally();
      case "exceptions" -> exceptions();
      case "switch" -> switches();
      case "lambda" -> lambda().applyAsInt(1);
      case "default" -> new Looper() {}.loop();
      case "seldom" -> seldom();
      case "afterPin" -> afterPin();
      case "afterRefusal" -> Brief.VALUE + tight();
      case "afterCall" -> Calls.VALUE + tight();
      case "record" -> new LoopRecord(1, 2).loop();
      default -> throw new IllegalArgumentException(how);
    };
  }

  /** Calls nothing and reads nothing that changes, so the compiler is free to optimize the loop. */
  private static long tight() {
    long x = 1;
    for (long n = 1; n != 0; n++) {
      x = x * 6364136223846793005L + n;
    }
    return x;
  }

  private static long counted() {
    int[] numbers = new int[1 << 20];
    long sum = 0;
    for (long n = 1; n != 0; n++) {
      for (int i = 0; i < numbers.length; i++) {
        sum += numbers[i];
      }
    }
    return sum;
  }

  private static long nested(int[] numbers) {
    long sum = 0;
    while (sum != 1) {
      for (int i = 0; i < numbers.length; i++) {
        for (int j = i; j >= 0; j--) {
          numbers[i] += 2 * j;
        }
      }
    }
    return sum;
  }

  private static long calls() {
    StringBuilder text = new StringBuilder();
    for (long n = 0; n >= 0; n++) {
      text.setLength(0);
      text.append(n).append(' ').append(n / 7);
    }
    return text.length();
  }

  private static long inMonitor(Object lock) {
    long x = 1;
    synchronized (lock) {
      do {
        x += 2;
      } while (x != 0);
    }
    return x;
  }

  private static synchronized long inMonitorOfClass() {
    return tight();
  }

  /** Its class initializer computes, and a goroutine in a class initializer cannot yield. */
  private static final class Slow {
    static final long VALUE = untilOver();

    private static long untilOver() {
      long n = 0;
      while (!over) {
        n++;
      }
      return n;
    }
  }

  /** Computes without a loop. */
  private static long recursion(int n) {
    return n < 2 ? n : recursion(n - 1) + recursion(n - 2);
  }

  /** Computes before the constructor of its superclass runs. */
  private static final class Prologue extends Exception {
    private static final long serialVersionUID = 1;
    final long value;

    Prologue(long first) {
      long x = first;
      while (x != 0) {
        x += 2;
      }
      super("prologue");
      value = x;
    }
  }

  private static long tryFinally() {
    long x = 1;
    for (; ; ) {
      try {
        if (x == 0) {
          return x;
        }
        x += 2;
      } finally {
        x ^= 2;
      }
    }
  }

  private static long exceptions() {
    int[] none = {};
    long caught = 1;
    while (caught != 0) {
      try {
        caught += none[(int) caught & 1];
      } catch (ArrayIndexOutOfBoundsException e) {
        caught++;
      }
    }
    return caught;
  }

  private static long switches() {
    long x = 1;
    int state = 0;
    while (true) {
      switch (state) {
        case 0:
          state = 1;
          continue;
        case 1:
          x += 2;
          state = x == 0 ? 3 : 2;
          continue;
        case 2:
          state = 0;
          continue;
        default:
          return x;
      }
    }
  }

  private static IntUnaryOperator lambda() {
    return first -> {
      int x = first;
      while (x != 0) {
        x += 2;
      }
      return x;
    };
  }

  private interface Looper {
    default long loop() {
      long x = 1;
      while (x != 0) {
        x += 2;
      }
      return x;
    }
  }

  /**
   * Parks together with its thread, because a class initializer pins the goroutine. Computes when
   * it has been resumed.
   */
  private static long afterPin() {
    return ParksInInitializer.VALUE + tight();
  }

  private static final class ParksInInitializer {
    static final long VALUE = untilLost();

    private static long untilLost() {
      while (ONE_P.stats().handoffs() == 0) {
        LockSupport.parkNanos(1_000_000);
      }
      return 1;
    }
  }

  /**
   * Its class initializer cannot yield until the goroutine has lost its P. The reason is usually
   * that it computes; on a busy machine it may lose its P before, while it waits pinned for a
   * class.
   */
  private static final class Brief {
    static final long VALUE = untilLost();

    private static long untilLost() {
      long n = 0;
      while (ONE_P.stats().handoffs() == 0) {
        n++;
      }
      return n;
    }
  }

  /**
   * Its blocking call ends while the ticker has the P. A class initializer cannot queue for a P, so
   * the goroutine continues without one.
   */
  private static final class Calls {
    static final long VALUE = withoutP();

    private static long withoutP() {
      call = CallPhase.IN;
      try {
        return Go.blocking(
            () -> {
              while (!ticks) {
                LockSupport.parkNanos(100_000);
              }
              return 1L;
            });
      } catch (Exception e) {
        throw new IllegalStateException(e);
      } finally {
        call = CallPhase.NONE;
      }
    }
  }

  /**
   * Reaches a yield check only long after its grace is over: a strip of iterations takes long,
   * because the JDK's classes are not woven.
   */
  private static long seldom() {
    BigInteger x = BigInteger.ONE.shiftLeft(60_000).subtract(BigInteger.ONE);
    long sum = 0;
    while (sum != 1) {
      sum += 2L * x.multiply(x).bitLength();
    }
    return sum;
  }

  private record LoopRecord(long a, long b) {
    long loop() {
      long x = a;
      while (x != 0) {
        x += b;
      }
      return x;
    }
  }
}
