package golang;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import tables.Table;

/** docs/internals/conformance.md names every test of this suite, and no other test. */
class TableTest {
  @Test
  void tableNamesExactlyTheTests() throws IOException {
    Table table = new Table("conformance.md", "golang");
    assertThat(table.named()).containsExactlyElementsOf(table.tests()).isNotEmpty();
  }
}
