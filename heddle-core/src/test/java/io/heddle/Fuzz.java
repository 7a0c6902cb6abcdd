package io.heddle;

import java.util.Random;
import java.util.SplittableRandom;

/**
 * Unusual input. {@code -Dheddle.fuzz.times} multiplies the number of cases,
 * {@code -Dheddle.fuzz.seed} repeats a run.
 */
public final class Fuzz {
  private static final long SEED = Long.getLong("heddle.fuzz.seed", System.nanoTime());

  private static final String[] ODD = {
    "",
    " ",
    "\t",
    "\n",
    "\0",
    ",",
    ",,",
    "=",
    "==",
    "*",
    "**",
    ":",
    ";",
    "%",
    "%00",
    "%zz",
    "\"",
    "'",
    "\\",
    "../../etc/passwd",
    "-",
    "--",
    "-1",
    "0",
    "1",
    "2147483647",
    "2147483648",
    "-2147483648",
    "9223372036854775807",
    "9223372036854775808",
    "1e9",
    "0x10",
    "NaN",
    "1.5",
    "١٢",
    "½",
    "null",
    "true",
    "false",
    "\ud800",
    "\uffff",
    "ſ",
    "İ",
    "🧵",
    "a".repeat(5_000),
    "${java.home}",
    "$(id)"
  };

  private Fuzz() {}

  /**
   * Returns the number of cases, {@code byDefault} unless the property changes it. Prints how to
   * repeat the run.
   */
  public static int cases(Class<?> test, int byDefault) {
    int cases = byDefault * Integer.getInteger("heddle.fuzz.times", 1);
    System.out.println(test.getSimpleName() + ": " + cases + " cases, -Dheddle.fuzz.seed=" + SEED);
    return cases;
  }

  /**
   * Returns a generator. Mixes the seed first, because {@link Random}s with consecutive seeds draw
   * nearly the same values at first.
   */
  public static Random random(int number) {
    return new Random(new SplittableRandom(SEED + number).nextLong());
  }

  /** Describes the case in messages. */
  public static String describe(int number) {
    return "seed " + SEED + ", case " + number;
  }

  /** Concatenates some of {@code words} with other text. */
  public static String text(Random random, String... words) {
    StringBuilder text = new StringBuilder();
    for (int n = random.nextInt(6); n >= 0; n--) {
      switch (random.nextInt(6)) {
        case 0 -> text.append(ODD[random.nextInt(ODD.length)]);
        case 1 -> text.append((char) random.nextInt(random.nextBoolean() ? 128 : 65_536));
        case 2 -> text.append(random.nextInt(random.nextBoolean() ? 100 : Integer.MAX_VALUE));
        default -> text.append(words[random.nextInt(words.length)]);
      }
    }
    return text.toString();
  }
}
