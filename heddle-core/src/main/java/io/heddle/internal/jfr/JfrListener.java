package io.heddle.internal.jfr;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/** Finds out that somebody records. Used where {@code jdk.jfr} is. */
final class JfrListener implements FlightRecorderListener {
  private JfrListener() {}

  static boolean isThere() {
    return FlightRecorder.isInitialized();
  }

  static void watch() {
    FlightRecorder.addListener(new JfrListener());
  }

  /** Now, on a thread that may wait: the JDK takes its time, and a lock. */
  static void loadEvents() {
    GoroutineStart.isWanted();
    GoroutineEnd.isWanted();
    GoroutineRun.isWanted();
    LongWait.isWanted();
    HandOffEvent.isWanted();
    DeadlockEvent.isWanted();
  }

  @Override
  public void recorderInitialized(FlightRecorder recorder) {
    JfrEvents.turnOn();
  }
}
