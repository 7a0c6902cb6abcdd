package io.heddle.internal.jfr;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/** Detects the start of a recording. Loaded only if the module {@code jdk.jfr} is present. */
final class JfrListener implements FlightRecorderListener {
  private JfrListener() {}

  /** Whether a recording has been started in this JVM. */
  static boolean isThere() {
    return FlightRecorder.isInitialized();
  }

  /** Calls {@link JfrEvents#turnOn} at the first recording. */
  static void watch() {
    FlightRecorder.addListener(new JfrListener());
  }

  /**
   * Loads the event classes. The caller must be able to block, because the JDK takes a lock, and
   * loads the classes slowly.
   */
  static void loadEvents() {
    GoroutineStart.isWanted();
    GoroutineEnd.isWanted();
    GoroutineRun.isWanted();
    LongWait.isWanted();
    HandOffEvent.isWanted();
    DeadlockEvent.isWanted();
    StuckEvent.isWanted();
    StarvationEvent.isWanted();
  }

  @Override
  public void recorderInitialized(FlightRecorder recorder) {
    JfrEvents.turnOn();
  }
}
