package io.heddle.cli.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The runs of one program on one thread model. */
final class ModelResult {
  final ThreadModel model;
  private final List<Long> times = new ArrayList<>();
  private String remark = "";
  private boolean right = true;

  ModelResult(ThreadModel contender) {
    this.model = contender;
  }

  /**
   * Runs the program once. The time is recorded only if {@code counts}; the result is always
   * checked.
   */
  void run(LabProgram program, boolean counts) throws Exception {
    long start = System.nanoTime();
    Object result = program.run(model);
    long time = System.nanoTime() - start;
    right &= program.isRight(model, result);
    remark = program.remark(model, result);
    if (counts) {
      times.add(time);
    }
  }

  boolean isRight() {
    return right;
  }

  String remark() {
    return remark;
  }

  long median() {
    return times.stream().sorted().toList().get(times.size() / 2);
  }

  /** How many times faster this model is than a median of {@code nanos}. */
  double speedup(long nanos) {
    return (double) nanos / median();
  }

  String time() {
    return String.format(Locale.ROOT, "%,.1f ms", median() / 1e6);
  }
}
