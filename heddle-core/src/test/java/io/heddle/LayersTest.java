package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.heddle.testkit.ChildJvm;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * A package uses only the packages that it may use, and only the jdk package names what the JDK
 * hides.
 */
class LayersTest {
  private static final String ROOT = "io.heddle";
  private static final String BASE = "io.heddle.internal.base";
  private static final String NOTE = "io.heddle.internal.note";
  private static final String QUEUE = "io.heddle.internal.queue";
  private static final String JDK = "io.heddle.internal.jdk";
  private static final String TIMER = "io.heddle.internal.timer";
  private static final String POLL = "io.heddle.internal.poll";
  private static final String TRACE = "io.heddle.internal.trace";
  private static final String JFR = "io.heddle.internal.jfr";
  private static final String CGROUP = "io.heddle.internal.cgroup";
  private static final String ADMIT = "io.heddle.internal.admit";
  private static final String PART = "io.heddle.internal.part";
  private static final String POLICY = "io.heddle.internal.policy";
  private static final String SCHED = "io.heddle.internal.sched";
  private static final String WAIT = "io.heddle.internal.wait";
  private static final String INSPECT = "io.heddle.internal.inspect";
  private static final String EXPLORE = "io.heddle.internal.explore";
  private static final String DASHBOARD = "io.heddle.internal.dashboard";
  private static final String WATCH = "io.heddle.internal.watch";
  private static final String AGENT = "io.heddle.agent";

  private static final String HTTP_SERVER = "com.sun.net.httpserver";

  /**
   * The packages that each package may use besides itself. The global queue is guarded by a lock of
   * the note package.
   */
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry(BASE, Set.of()),
          Map.entry(NOTE, Set.of(BASE)),
          Map.entry(QUEUE, Set.of(BASE, NOTE)),
          Map.entry(JDK, Set.of(BASE)), // names reasons to wait, which are in the base package
          Map.entry(TIMER, Set.of(BASE, NOTE)),
          Map.entry(POLL, Set.of(BASE, NOTE, JDK)),
          Map.entry(TRACE, Set.of(BASE, NOTE)),
          Map.entry(JFR, Set.of(BASE)),
          Map.entry(ADMIT, Set.of()),
          Map.entry(CGROUP, Set.of()),
          Map.entry(PART, Set.of(BASE, NOTE, JDK)),
          Map.entry(POLICY, Set.of(BASE, JDK)),
          Map.entry(
              SCHED, Set.of(ADMIT, BASE, NOTE, QUEUE, JDK, TIMER, POLL, TRACE, JFR, PART, POLICY)),
          Map.entry(WAIT, Set.of(BASE, NOTE, JDK, TIMER, JFR, SCHED)),
          Map.entry(INSPECT, Set.of(BASE, CGROUP, JDK, TIMER, TRACE, JFR, QUEUE, SCHED)),
          Map.entry(WATCH, Set.of(BASE, JDK, TRACE, JFR)),
          Map.entry(DASHBOARD, Set.of(ADMIT, BASE, CGROUP, TRACE, SCHED, INSPECT)),
          Map.entry(EXPLORE, Set.of(BASE, JDK, TIMER, SCHED, INSPECT)),
          Map.entry(
              ROOT,
              Set.of(
                  ADMIT, BASE, CGROUP, NOTE, QUEUE, JDK, TIMER, TRACE, JFR, PART, SCHED, WAIT,
                  INSPECT, DASHBOARD, EXPLORE)),
          Map.entry(
              AGENT,
              Set.of(
                  ADMIT, BASE, NOTE, QUEUE, JDK, TIMER, JFR, SCHED, WAIT, ROOT, EXPLORE, WATCH)));

  /**
   * The classes outside of its package that may use the test driver: all of them are for tests,
   * too.
   */
  private static final Set<String> MAY_EXPLORE =
      Set.of(ROOT + ".Bubble", AGENT + ".BubbleInstrumentation");

  /** The classes of the machine that may use only these of its other classes. */
  private static final Map<String, Set<String>> MACHINE_NEAR_LEAVES =
      Map.of(
          "GoroutineState", Set.of(),
          "MCounters", Set.of("GoroutineList"),
          "P", Set.of("G", "M"),
          "ProcView", Set.of(),
          "SchedConfig", Set.of("G", "Sched"));

  /** An M has parts, each a class of its own, because it once had 37 fields. */
  private static final int MOST_FIELDS_OF_M = 20;

  /**
   * How many classes of the machine depend on each other in a circle: the verbs of a scheduler are
   * mutually recursive, in Go as here. May only go down.
   */
  private static final int MOST_IN_A_CYCLE = 27;

  private static final Pattern JDK_INTERNAL =
      Pattern.compile(
          "(jdk[./](?!jfr).*|sun[./].*)|java[./]lang[./](VirtualThread|ThreadBuilders|ThreadContainer).*");

  /** All classes but HeddleMount, which becomes a class of java.base at run time. */
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("META-INF"))
          .importPath(ChildJvm.classes());

  @Test
  void everyClassIsInAKnownPackage() {
    Set<String> rooms = new TreeSet<>();
    CLASSES.forEach(type -> rooms.add(type.getPackageName()));
    assertThat(MAY_USE.keySet()).containsAll(rooms);
    assertThat(rooms).contains(ROOT, SCHED, JDK);
  }

  @Test
  void packageUsesOnlyAllowedPackages() {
    List<String> offences =
        CLASSES.stream()
            .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
            .filter(LayersTest::isForbidden)
            .map(Dependency::getDescription)
            .toList();
    assertThat(offences).isEmpty();
  }

  @Test
  void productionCodeDoesNotUseTheTestDriver() {
    Set<String> users = new TreeSet<>();
    CLASSES.stream()
        .filter(type -> !type.getPackageName().equals(EXPLORE))
        .filter(type -> uses(type).anyMatch(used -> used.getPackageName().equals(EXPLORE)))
        .forEach(type -> users.add(topLevel(type)));
    assertThat(users).isEqualTo(new TreeSet<>(MAY_EXPLORE));
  }

  @Test
  void nearLeavesOfTheMachineUseOnlyTheirOwnOthers() {
    Map<String, Set<String>> graph = machine();
    MACHINE_NEAR_LEAVES.forEach(
        (leaf, others) -> assertThat(graph.get(leaf)).as(leaf).isEqualTo(new TreeSet<>(others)));
  }

  @Test
  void anMHasFewFields() {
    List<JavaField> fields =
        CLASSES.get(SCHED + ".M").getFields().stream()
            .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
            .toList();
    assertThat(fields).isNotEmpty().hasSizeLessThanOrEqualTo(MOST_FIELDS_OF_M);
  }

  @Test
  void theLargestCycleOfTheMachineDoesNotGrow() {
    Set<String> largest = Cycles.largest(machine());
    assertThat(largest.size()).as("%s", largest).isEqualTo(MOST_IN_A_CYCLE);
  }

  /** The classes of the machine, each with those of them that it uses. */
  private static Map<String, Set<String>> machine() {
    Map<String, Set<String>> graph = new TreeMap<>();
    CLASSES.stream()
        .filter(type -> type.getPackageName().equals(SCHED))
        .filter(type -> !type.getSimpleName().equals("package-info"))
        .forEach(
            type -> {
              Set<String> used = graph.computeIfAbsent(simpleTopLevel(type), _ -> new TreeSet<>());
              uses(type)
                  .filter(other -> other.getPackageName().equals(SCHED))
                  .map(LayersTest::simpleTopLevel)
                  .forEach(used::add);
              used.remove(simpleTopLevel(type));
            });
    return graph;
  }

  private static Stream<JavaClass> uses(JavaClass type) {
    return type.getDirectDependenciesFromSelf().stream()
        .map(dependency -> dependency.getTargetClass().getBaseComponentType());
  }

  private static String topLevel(JavaClass type) {
    String name = type.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  private static String simpleTopLevel(JavaClass type) {
    String name = topLevel(type);
    return name.substring(name.lastIndexOf('.') + 1);
  }

  @Test
  void onlyTheJdkAndJSpecifyAreUsed() {
    Set<String> others = new TreeSet<>();
    CLASSES.stream()
        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
        .map(dependency -> dependency.getTargetClass().getBaseComponentType())
        .filter(type -> !type.isPrimitive())
        .map(JavaClass::getPackageName)
        .filter(name -> !name.startsWith("java.") && !name.startsWith(ROOT))
        .forEach(others::add);
    others.removeAll(Set.of("javax.management", "jdk.jfr")); // in the JDK
    // Only the jdk package may use the last two, which another test checks.
    assertThat(others)
        .isSubsetOf(
            "org.jspecify.annotations", "jdk.internal.vm", "jdk.internal.misc", HTTP_SERVER);
  }

  @Test
  void onlyTheDashboardUsesTheWebServer() {
    Set<String> rooms = new TreeSet<>();
    CLASSES.stream()
        .filter(
            type ->
                type.getDirectDependenciesFromSelf().stream()
                    .anyMatch(d -> d.getTargetClass().getPackageName().equals(HTTP_SERVER)))
        .forEach(type -> rooms.add(type.getPackageName()));
    assertThat(rooms).containsExactly(DASHBOARD);
  }

  @Test
  void onlyTheJdkPackageNamesHiddenJdkTypes() throws IOException {
    assertThat(internalNamesIn(classFiles(JDK))).as("the search works").isNotEmpty();
    for (String room : MAY_USE.keySet()) {
      if (!room.equals(JDK)) {
        assertThat(internalNamesIn(classFiles(room))).as(room).isEmpty();
      }
    }
  }

  @Test
  void moduleExportsOnlyTheApiAndTheAgentToItsCaller() {
    ModuleDescriptor module =
        ModuleFinder.of(ChildJvm.classes()).find("io.heddle").orElseThrow().descriptor();
    assertThat(module.exports())
        .extracting(ModuleDescriptor.Exports::source, ModuleDescriptor.Exports::targets)
        .containsExactlyInAnyOrder(tuple(ROOT, Set.of()), tuple(AGENT, Set.of("java.instrument")));
    assertThat(module.opens()).isEmpty();
    assertThat(module.isOpen()).isFalse();
  }

  private static boolean isForbidden(Dependency dependency) {
    String from = dependency.getOriginClass().getPackageName();
    String to = dependency.getTargetClass().getBaseComponentType().getPackageName();
    return to.startsWith(ROOT) && !to.equals(from) && !MAY_USE.get(from).contains(to);
  }

  private static List<Path> classFiles(String room) throws IOException {
    Path dir = ChildJvm.classes().resolve(room.replace('.', '/'));
    try (Stream<Path> files = Files.list(dir)) {
      return files.filter(file -> file.toString().endsWith(".class")).toList();
    }
  }

  private static Set<String> internalNamesIn(List<Path> files) throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path file : files) {
      ClassModel model = ClassFile.of().parse(file);
      StreamSupport.stream(model.constantPool().spliterator(), false)
          .flatMap(LayersTest::stringOf)
          .filter(text -> JDK_INTERNAL.matcher(text).matches())
          .forEach(text -> names.add(file.getFileName() + ": " + text));
    }
    return names;
  }

  private static Stream<String> stringOf(PoolEntry entry) {
    return entry instanceof StringEntry string ? Stream.of(string.stringValue()) : Stream.of();
  }
}
