package io.heddle.cli;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a whole number between two bounds; the error message names the bounds. */
abstract class WholeNumber implements ITypeConverter<Integer> {
  private final int min;
  private final int max;

  WholeNumber(int min, int max) {
    this.min = min;
    this.max = max;
  }

  @Override
  public final Integer convert(String text) {
    try {
      int n = Integer.parseInt(text.strip());
      if (n >= min && n <= max) {
        return n;
      }
    } catch (NumberFormatException e) {
      // same message as for a number out of bounds
    }
    throw new TypeConversionException(
        String.format(Locale.ROOT, "'%s' is not a whole number from %d to %d", text, min, max));
  }
}
