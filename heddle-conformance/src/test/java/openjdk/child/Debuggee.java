package openjdk.child;

import java.util.concurrent.locks.LockSupport;

/** A program to be debugged: its interesting part runs in a virtual thread. */
public final class Debuggee {
  private Debuggee() {}

  public static void main(String[] args) throws InterruptedException {
    int[] result = new int[1];
    Thread.ofVirtual().name("debugged").start(() -> result[0] = work(21)).join();
    System.out.println("result " + result[0]);
  }

  private static int work(int half) {
    int whole = half * 2;
    LockSupport.parkNanos(1_000_000);
    Thread.yield();
    String text = "whole " + whole;
    return text.isEmpty() ? 0 : whole;
  }
}
