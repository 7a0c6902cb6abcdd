package golang;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** The suite uses only the API that a user has. */
class BlackBoxTest {
  @Test
  void suiteUsesOnlyTheExportedApi() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.heddle.internal..", "io.heddle.agent..")
        .check(new ClassFileImporter().importPackages("golang"));
  }
}
