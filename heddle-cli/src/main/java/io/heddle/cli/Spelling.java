package io.heddle.cli;

import java.util.Collection;
import java.util.List;

/** Finds the words that a misspelt one may stand for. */
final class Spelling {
  /** Two letters swapped are two mistakes. */
  private static final int MOST_MISTAKES = 2;

  private Spelling() {}

  static List<String> near(String word, Collection<String> words) {
    return words.stream().filter(candidate -> isNear(word, candidate)).sorted().toList();
  }

  private static boolean isNear(String word, String candidate) {
    int mistakes = distance(word, candidate);
    return (mistakes <= MOST_MISTAKES && mistakes < candidate.length())
        || (word.length() > 1 && candidate.startsWith(word));
  }

  /** Levenshtein's: how many letters to add, leave out or change, row by row of his table. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
