package io.heddle.cli.lab;

import java.util.List;

/** A program that all contenders run alike. */
interface LabProgram {
  /** One word, for {@code --only}. */
  String name();

  String title();

  /** What it does, and what one sees. */
  List<String> explanation();

  /** Who takes part; the first is what the others are measured against. */
  List<ThreadModel> models();

  /** One run: what came of it, for {@link #isRight}. */
  Object run(ThreadModel contender) throws Exception;

  boolean isRight(ThreadModel contender, Object result);

  /** What of the result is shown behind the times. */
  default String remark(ThreadModel contender, Object result) {
    return "";
  }
}
