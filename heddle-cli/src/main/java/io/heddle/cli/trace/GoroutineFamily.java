package io.heddle.cli.trace;

/**
 * The group of goroutines that share a creation site and a name without a trailing number, as on
 * the dashboard.
 *
 * @param name empty if they have no name
 * @param site empty if it is unknown
 */
record GoroutineFamily(String name, String site) {
  static final GoroutineFamily UNKNOWN = new GoroutineFamily("", "");

  static GoroutineFamily of(String name, String site) {
    int end = name.length();
    while (end > 0 && isNumbering(name.charAt(end - 1))) {
      end--;
    }
    return new GoroutineFamily(name.substring(0, end), site);
  }

  private static boolean isNumbering(char c) {
    return Character.isDigit(c) || c == '-' || c == '#' || c == '_' || c == ' ';
  }

  @Override
  public String toString() {
    String where = site.isEmpty() ? "(unknown)" : site;
    return name.isEmpty() ? where : name + ", " + where;
  }
}
