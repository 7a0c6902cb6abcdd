package io.heddle.cli.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One contender's runs of one program. */
final class ModelResult {
  final ThreadModel model;
  private final List<Long> times = new ArrayList<>();
  private String remark = "";
  private boolean right = true;

  ModelResult(ThreadModel contender) {
    this.model = contender;
  }

  /** Runs the program once; {@code counts} unless it only warms up. The result counts always. */
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

  String time() {
    return String.format(Locale.ROOT, "%,.1f ms", median() / 1e6);
  }
}
