package io.heddle;

/** Splits the text of a Java file into its comments, its code and its literals. */
final class JavaSource {
  private final StringBuilder comments = new StringBuilder();
  private final StringBuilder code = new StringBuilder();
  private final StringBuilder literals = new StringBuilder();
  private final String text;
  private int at;

  private JavaSource(String text) {
    this.text = text;
  }

  static JavaSource of(String text) {
    JavaSource source = new JavaSource(text);
    while (source.at < text.length()) {
      source.next();
    }
    return source;
  }

  /** Returns the comments. All other text is blank, line breaks are kept. */
  String comments() {
    return comments.toString();
  }

  /** Returns the code. Comments, strings and character literals are blank, line breaks are kept. */
  String code() {
    return code.toString();
  }

  /** Returns the strings and character literals. All other text is blank, line breaks are kept. */
  String literals() {
    return literals.toString();
  }

  private void next() {
    if (text.startsWith("//", at)) {
      addTo(comments, endOfLine());
    } else if (text.startsWith("/*", at)) {
      addTo(comments, after("*/", at + 2));
    } else if (text.startsWith("\"\"\"", at)) {
      addTo(literals, after("\"\"\"", at + 3));
    } else if (text.charAt(at) == '"' || text.charAt(at) == '\'') {
      addTo(literals, after(text.substring(at, at + 1), at + 1));
    } else {
      addTo(code, at + 1);
    }
  }

  private int endOfLine() {
    int end = text.indexOf('\n', at);
    return end < 0 ? text.length() : end;
  }

  /** Returns the position after the next {@code delimiter} that no backslash escapes. */
  private int after(String delimiter, int from) {
    boolean isLiteral = !delimiter.equals("*/");
    for (int i = from; i < text.length(); i++) {
      if (isLiteral && text.charAt(i) == '\\') {
        i++;
      } else if (text.startsWith(delimiter, i)) {
        return i + delimiter.length();
      }
    }
    return text.length();
  }

  /** Moves to {@code end}: appends the text to {@code target}, and blanks to the other part. */
  private void addTo(StringBuilder target, int end) {
    for (; at < end; at++) {
      char c = text.charAt(at);
      comments.append(target == comments || c == '\n' ? c : ' ');
      code.append(target == code || c == '\n' ? c : ' ');
      literals.append(target == literals || c == '\n' ? c : ' ');
    }
  }
}
