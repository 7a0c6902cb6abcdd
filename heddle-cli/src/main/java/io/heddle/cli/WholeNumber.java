package io.heddle.cli;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a whole number between two bounds, and names them when it is something else. */
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
      // says the same as a number out of bounds
    }
    throw new TypeConversionException(
        String.format(Locale.ROOT, "'%s' is not a whole number from %d to %d", text, min, max));
  }
}
