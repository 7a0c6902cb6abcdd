package golang;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** Nothing here uses more than what a user can. */
class BlackBoxTest {
  @Test
  void theSuiteUsesTheExportedApiAlone() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.heddle.internal..", "io.heddle.agent..")
        .check(new ClassFileImporter().importPackages("golang"));
  }
}
