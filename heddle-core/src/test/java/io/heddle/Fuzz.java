package io.heddle;

import java.util.Random;
import java.util.SplittableRandom;

/** Input that nobody would write. {@code -Dheddle.fuzz.times} makes it more, {@code -Dheddle.fuzz.seed} the same again. */
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

  /** So many cases, unless told otherwise. Says on standard output how to have the same again. */
  public static int cases(Class<?> test, int byDefault) {
    int cases = byDefault * Integer.getInteger("heddle.fuzz.times", 1);
    System.out.println(test.getSimpleName() + ": " + cases + " cases, -Dheddle.fuzz.seed=" + SEED);
    return cases;
  }

  /** Mixed first: of seeds that follow one another, {@link Random} draws nearly the same at first. */
  public static Random random(int number) {
    return new Random(new SplittableRandom(SEED + number).nextLong());
  }

  /** For messages. */
  public static String which(int number) {
    return "seed " + SEED + ", case " + number;
  }

  /** Some of {@code words}, and what is none, put together. */
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
