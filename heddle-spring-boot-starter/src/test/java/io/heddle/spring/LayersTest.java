package io.heddle.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.heddle.testkit.ChildJvm;
import org.junit.jupiter.api.Test;

/** The starter uses only what the library exports. */
class LayersTest {
  @Test
  void starterUsesNoInternalsOfTheLibrary() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.heddle.internal..", "io.heddle.agent..")
        .check(new ClassFileImporter().importPath(ChildJvm.placeOf(HeddleProperties.class)));
  }
}
