package io.heddle.cli;

import java.util.Collection;
import java.util.List;

/** Finds the known words that a misspelt word may stand for. */
final class Spelling {
  private static final int MOST_MISTAKES = 2;

  private Spelling() {}

  /** The words that {@code word} may stand for: few letters differ, or it is their beginning. */
  static List<String> near(String word, Collection<String> words) {
    return words.stream().filter(candidate -> isNear(word, candidate)).sorted().toList();
  }

  /** The words that differ from {@code word} by one letter, or by two letters swapped. */
  static List<String> oneLetterOff(String word, Collection<String> words) {
    return words.stream().filter(candidate -> distance(word, candidate) == 1).sorted().toList();
  }

  /** Less than half of the letters may differ, because otherwise 'foo' would stand for 'top'. */
  private static boolean isNear(String word, String candidate) {
    int mistakes = distance(word, candidate);
    return (mistakes <= MOST_MISTAKES && 2 * mistakes < candidate.length())
        || (word.length() > 1 && candidate.startsWith(word));
  }

  /**
   * Levenshtein distance with swaps: the number of letters to insert, delete, replace or swap with
   * their neighbour.
   */
  private static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int replaced = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        d[i][j] = Math.min(replaced, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
