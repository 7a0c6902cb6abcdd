package io.heddle.junit.own;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.heddle.Bubble;
import io.heddle.junit.HeddleTest;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** This module stands on what the library's module exports to it, and on JUnit's API. */
class LayersTest {
  private static final String OWN = "io.heddle.junit";

  @Test
  void ofTheLibraryOnlyWhatIsExportedToItIsUsed() throws Exception {
    Set<String> used = usedPackages();
    used.removeIf(name -> !name.startsWith("io.heddle") || name.equals(OWN));
    assertThat(used).isNotEmpty().isSubsetOf(exportedTo(OWN));
  }

  @Test
  void besidesThatOnlyTheJdkJunitAndAnnotations() throws Exception {
    Set<String> used = usedPackages();
    used.removeIf(name -> name.startsWith("java.") || name.startsWith("io.heddle"));
    assertThat(used)
        .isSubsetOf(
            "org.jspecify.annotations",
            "org.junit.jupiter.api",
            "org.junit.jupiter.api.extension",
            "org.junit.platform.commons.support");
  }

  @Test
  void theModuleNeedsNothingElseAndExportsItsOneRoom() throws Exception {
    ModuleDescriptor module = moduleOf(HeddleTest.class);
    assertThat(module.requires().stream().map(Requires::name))
        .containsExactlyInAnyOrder(
            "java.base", "io.heddle", "org.jspecify", "org.junit.jupiter.api");
    assertThat(module.exports()).singleElement().matches(e -> e.source().equals(OWN));
    assertThat(module.opens()).isEmpty();
  }

  private static Set<String> usedPackages() throws URISyntaxException {
    JavaClasses classes = new ClassFileImporter().importPath(placeOf(HeddleTest.class));
    return classes.stream()
        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
        .map(dependency -> dependency.getTargetClass().getBaseComponentType())
        .filter(type -> !type.isPrimitive())
        .map(JavaClass::getPackageName)
        .collect(toCollection(TreeSet::new));
  }

  private static Set<String> exportedTo(String module) throws URISyntaxException {
    return moduleOf(Bubble.class).exports().stream()
        .filter(exports -> !exports.isQualified() || exports.targets().contains(module))
        .map(ModuleDescriptor.Exports::source)
        .collect(toCollection(TreeSet::new));
  }

  private static ModuleDescriptor moduleOf(Class<?> type) throws URISyntaxException {
    return ModuleFinder.of(placeOf(type)).findAll().iterator().next().descriptor();
  }

  /** The directory, or the jar, that it was loaded from. */
  private static Path placeOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
