package io.heddle.cli.lab;

import java.util.List;

/** A program that runs on every thread model. */
interface LabProgram {
  /** One word, for {@code --only}. */
  String name();

  String title();

  /** What the program does, and what its table shows. */
  List<String> explanation();

  /** The thread models that run it; the first is the baseline of the others. */
  List<ThreadModel> models();

  /** Runs once and returns the result, for {@link #isRight}. */
  Object run(ThreadModel contender) throws Exception;

  boolean isRight(ThreadModel contender, Object result);

  /** The part of the result that is shown after the time. */
  default String remark(ThreadModel contender, Object result) {
    return "";
  }
}
