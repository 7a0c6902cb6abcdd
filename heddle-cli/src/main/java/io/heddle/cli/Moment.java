package io.heddle.cli;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a time in a trace, as in 1.25s, into nanoseconds. */
final class Moment implements ITypeConverter<Long> {
  private static final Pattern FORM =
      Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?) ?(ns|us|µs|ms|s)");

  @Override
  public Long convert(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a time such as 1.25s, 300ms, 80us or 500ns");
    }
    return new BigDecimal(matcher.group(1)).movePointRight(zeros(matcher.group(2))).longValue();
  }

  private static int zeros(String unit) {
    return switch (unit) {
      case "s" -> 9;
      case "ms" -> 6;
      case "us", "µs" -> 3;
      default -> 0;
    };
  }
}
