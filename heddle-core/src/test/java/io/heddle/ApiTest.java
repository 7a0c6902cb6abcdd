package io.heddle;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Executable;
import java.lang.reflect.GenericDeclaration;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The public API that {@code api.txt} lists exists with exactly these names and types. */
class ApiTest {
  /** The prefix of a type's qualified name: its packages and enclosing types. */
  private static final Pattern QUALIFIERS = Pattern.compile("([a-z]\\w*\\.)+(\\w+\\$)*");

  @TestFactory
  Stream<DynamicTest> everyListedTypeHasItsListedMembers() throws IOException {
    return promised().entrySet().stream()
        .map(
            type ->
                DynamicTest.dynamicTest(
                    type.getKey(), () -> check(type.getKey(), type.getValue())));
  }

  private static void check(String header, Set<String> members) throws ClassNotFoundException {
    Class<?> type = Class.forName("io.heddle." + nameIn(header).replace('.', '$'));
    assertThat(headerOf(type)).startsWith(header);
    assertThat(membersOf(type)).containsAll(members);
  }

  /** Reads {@code api.txt}: maps the header of each type to the lines of its members. */
  private static Map<String, Set<String>> promised() throws IOException {
    Map<String, Set<String>> types = new LinkedHashMap<>();
    Set<String> members = Set.of();
    for (String line : text().lines().filter(line -> !line.startsWith("#")).toList()) {
      if (line.startsWith(" ")) {
        members.add(line.strip());
      } else if (!line.isEmpty()) {
        members = new TreeSet<>();
        types.put(line, members);
      }
    }
    return types;
  }

  private static String text() throws IOException {
    try (InputStream in = ApiTest.class.getResourceAsStream("/api.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String nameIn(String header) {
    return header.replaceFirst(".*?(class|interface|enum|record) ([\\w.]+).*", "$2");
  }

  private static String headerOf(Class<?> type) {
    String name = QUALIFIERS.matcher(type.getName()).replaceFirst("");
    Class<?> outer = type.getDeclaringClass();
    return words(
        "public",
        type.isSealed() ? "sealed" : "",
        Modifier.isFinal(type.getModifiers()) && kindOf(type).equals("class") ? "final" : "",
        kindOf(type),
        (outer == null ? "" : outer.getSimpleName() + ".") + name + parameters(type),
        supersOf(type),
        type.isSealed() ? list("permits ", type.getPermittedSubclasses(), Class::getName) : "");
  }

  private static String kindOf(Class<?> type) {
    return type.isInterface()
        ? "interface"
        : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
  }

  private static String supersOf(Class<?> type) {
    Type above = type.getGenericSuperclass();
    boolean isPlain = above == null || Set.of(Object.class, Record.class).contains(above);
    String interfaces = type.isInterface() ? "extends " : "implements ";
    return words(
        isPlain || type.isEnum() ? "" : "extends " + simple(above.getTypeName()),
        list(interfaces, type.getGenericInterfaces(), Type::getTypeName));
  }

  private static Set<String> membersOf(Class<?> type) {
    Set<String> members = new TreeSet<>();
    Arrays.stream(type.getMethods()).map(ApiTest::signature).forEach(members::add);
    Arrays.stream(type.getConstructors()).map(ApiTest::signature).forEach(members::add);
    Arrays.stream(type.getFields()).map(field -> field.getName()).forEach(members::add);
    return members;
  }

  private static String signature(Executable member) {
    boolean isMethod = member instanceof Method;
    return words(
        Modifier.isStatic(member.getModifiers()) ? "static" : "",
        parameters(member),
        isMethod ? simple(member.getAnnotatedReturnType().toString()) : "",
        simple(member.getName()) + "(" + argumentsOf(member) + ")",
        list("throws ", member.getGenericExceptionTypes(), Type::getTypeName));
  }

  private static String argumentsOf(Executable member) {
    String all = list("", member.getAnnotatedParameterTypes(), AnnotatedType::toString);
    return member.isVarArgs() ? all.replaceFirst("\\[]$", "...") : all;
  }

  private static String parameters(GenericDeclaration declaration) {
    String names = list("", declaration.getTypeParameters(), TypeVariable::getName);
    return names.isEmpty() ? "" : "<" + names + ">";
  }

  private static <T> String list(String before, T[] parts, Function<T, String> name) {
    return parts.length == 0
        ? ""
        : before + Arrays.stream(parts).map(name).map(ApiTest::simple).collect(joining(", "));
  }

  private static String simple(String name) {
    return QUALIFIERS.matcher(name).replaceAll("").replace("@Nullable()", "@Nullable");
  }

  private static String words(String... words) {
    return String.join(" ", List.of(words).stream().filter(word -> !word.isEmpty()).toList());
  }
}
