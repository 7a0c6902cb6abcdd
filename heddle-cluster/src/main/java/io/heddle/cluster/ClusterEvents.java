package io.heddle.cluster;

import jdk.jfr.FlightRecorder;

/**
 * Events of clusters for the flight recorder. Without a recording no event class is loaded, and a
 * runtime without the module {@code jdk.jfr} has no events.
 */
final class ClusterEvents {
  private static final boolean HAS_RECORDER =
      ModuleLayer.boot()
          .findModule("jdk.jfr")
          .map(ClusterEvents.class.getModule()::canRead)
          .orElse(false);

  private ClusterEvents() {}

  private static boolean isRecording() {
    return HAS_RECORDER && FlightRecorder.isInitialized();
  }

  /** A value was delivered that had been delivered before. */
  static void redelivered(String channel, String id, int attempt) {
    if (isRecording()) {
      RedeliveryEvent.emit(channel, id, attempt);
    }
  }

  /** A value became a dead letter. */
  static void buried(DeadLetter letter) {
    if (isRecording()) {
      DeadLetterEvent.emit(letter);
    }
  }

  /** This node has lost something that it held. */
  static void lost(String what) {
    if (isRecording()) {
      LeaseLostEvent.emit(what);
    }
  }

  /** Notes the begin of a remote goroutine; run the result at its end, with what it threw. */
  static TaskEnd taskBegins(String function, String id, String caller) {
    return isRecording() ? RemoteGoroutineEvent.begin(function, id, caller) : _ -> {};
  }

  /** Notes the end of a remote goroutine. */
  @FunctionalInterface
  interface TaskEnd {
    /** {@code thrown} is empty after a success. */
    void ended(String thrown);
  }
}
