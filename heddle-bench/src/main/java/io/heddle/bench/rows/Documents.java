package io.heddle.bench.rows;

/** The documents to search, as in the article of seed 001. */
public final class Documents {
  public static final String TOPIC = "test";
  public static final String DOCUMENT =
      "the scheduler hands its thread to another while this one reads a test document";

  /** The duration of a read, which is a sleep in the article, too. */
  public static final long READ_MILLIS = 1;

  private Documents() {}
}
