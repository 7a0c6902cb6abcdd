package golang;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import tables.Table;

/** Checks that docs/internals/conformance.md names exactly the tests of this suite. */
class TableTest {
  @Test
  void theTableNamesEveryTestAndNoOther() throws IOException {
    Table table = new Table("conformance.md", "golang");
    assertThat(table.named()).containsExactlyElementsOf(table.tests()).isNotEmpty();
  }
}
