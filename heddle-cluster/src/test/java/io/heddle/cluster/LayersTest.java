package io.heddle.cluster;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The module stands on what {@code io.heddle} exports, and on Jackson; its packages have layers.
 */
class LayersTest {
  private static final String API = "io.heddle.cluster";
  private static final String SPI = API + ".spi";
  private static final String LOCAL = API + ".local";

  private static final JavaClasses CLASSES = classes();

  private static JavaClasses classes() {
    try {
      Path main =
          Path.of(Cluster.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return new ClassFileImporter().importLocations(Set.of(Location.of(main)));
    } catch (java.net.URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Set<String> usedBy(String name) {
    return CLASSES.stream()
        .filter(type -> type.getPackageName().equals(name))
        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
        .map(dependency -> dependency.getTargetClass().getBaseComponentType())
        .filter(type -> !type.isPrimitive())
        .map(JavaClass::getPackageName)
        .filter(used -> !used.startsWith("java.") && !used.equals(name))
        .collect(toCollection(TreeSet::new));
  }

  @Test
  void packagesUseOnlyThoseBelow() {
    assertThat(usedBy(SPI)).isSubsetOf(API, "javax.net.ssl", "org.jspecify.annotations");
    assertThat(usedBy(LOCAL)).isSubsetOf(API, SPI, "io.heddle", "org.jspecify.annotations");
    Set<String> api = usedBy(API);
    api.removeIf(used -> used.startsWith("tools.jackson.") || used.startsWith("com.fasterxml."));
    assertThat(api)
        .contains("io.heddle", SPI)
        .isSubsetOf("io.heddle", SPI, "javax.net.ssl", "jdk.jfr", "org.jspecify.annotations");
  }

  @Test
  void enginesKnowOnlyTheExceptionsOfTheApi() {
    Map<String, String> offences =
        CLASSES.stream()
            .filter(type -> Set.of(SPI, LOCAL).contains(type.getPackageName()))
            .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
            .filter(dependency -> dependency.getTargetClass().getPackageName().equals(API))
            .filter(dependency -> !dependency.getTargetClass().isAssignableTo(Throwable.class))
            .collect(
                java.util.stream.Collectors.toMap(
                    dependency -> dependency.getOriginClass().getName(),
                    dependency -> dependency.getTargetClass().getName(),
                    (one, _) -> one));
    assertThat(offences).isEmpty();
  }

  /**
   * A wall clock that jumps must not prolong anything. It is read for the time since when a member
   * is there, where a deadline of a context becomes a duration or is made of one, and where a lease
   * is measured by the faster of two clocks.
   */
  @Test
  void wallClockIsReadOnlyWhereAJumpProlongsNothing() {
    Set<String> readers =
        CLASSES.stream()
            .flatMap(type -> type.getMethodCallsFromSelf().stream())
            .filter(
                call ->
                    Set.of(
                            "java.lang.System.currentTimeMillis",
                            "java.time.Instant.now",
                            "io.heddle.Go.now")
                        .contains(
                            call.getTargetOwner().getName() + "." + call.getTarget().getName()))
            .map(call -> call.getOriginOwner().getSimpleName())
            .collect(toCollection(TreeSet::new));
    assertThat(readers).isSubsetOf("LeaseTime", "Membership", "RemoteChan");
  }

  @Test
  void flightRecorderIsUsedByItsEventsAlone() {
    Set<String> users =
        CLASSES.stream()
            .filter(
                type ->
                    type.getDirectDependenciesFromSelf().stream()
                        .anyMatch(d -> d.getTargetClass().getPackageName().equals("jdk.jfr")))
            .map(JavaClass::getSimpleName)
            .filter(name -> !name.endsWith("Event"))
            .collect(toCollection(TreeSet::new));
    assertThat(users).containsExactly("ClusterEvents");
  }

  @Test
  void jacksonIsUsedByTheJsonCodecAlone() {
    Set<String> users =
        CLASSES.stream()
            .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
            .filter(d -> d.getTargetClass().getPackageName().startsWith("tools.jackson."))
            .map(d -> d.getOriginClass().getName().replaceFirst("\\$.*", ""))
            .collect(toCollection(TreeSet::new));
    assertThat(users).containsExactly(API + ".JsonCodec");
  }
}
