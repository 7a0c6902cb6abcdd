package openjdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import tables.Table;

/**
 * docs/internals/jdk-conformance.md names every test of this suite, and no other test. It gives a
 * verdict for each of OpenJDK's tests.
 */
class TableTest {
  private final Table table = new Table("jdk-conformance.md", "openjdk");

  @Test
  void tableNamesExactlyTheTests() throws IOException {
    assertThat(table.named()).containsExactlyElementsOf(table.tests()).isNotEmpty();
  }

  @Test
  void everyRowHasAVerdict() throws IOException {
    assertThat(table.rows())
        .hasSizeGreaterThan(100)
        .allMatch(
            row ->
                row.contains("| passes | `openjdk.")
                    || row.contains("| differs | ")
                    || row.contains("| does not apply | ")
                    || row.startsWith("| OpenJDK's "));
  }
}
