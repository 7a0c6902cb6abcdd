package io.heddle.bench.rows;

/** What is searched, as in the article of seed 001. */
public final class Documents {
  public static final String TOPIC = "test";
  public static final String DOCUMENT =
      "the scheduler hands its thread to another while this one reads a test document";

  /** How long a read takes, which is a sleep there, too. */
  public static final long READ_MILLIS = 1;

  private Documents() {}
}
