package io.heddle.cli.trace;

/**
 * What goroutines of one kind have in common, as on the dashboard: their names but for a number at the end, and where they
 * were started.
 *
 * @param name empty if they have none
 * @param site empty if it is not known
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
    String where = site.isEmpty() ? "(not known)" : site;
    return name.isEmpty() ? where : name + ", " + where;
  }
}
