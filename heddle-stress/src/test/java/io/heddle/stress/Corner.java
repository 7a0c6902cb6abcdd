package io.heddle.stress;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;

/**
 * A fixed scenario for Lincheck: the shortest way for two threads into a known corner case.
 *
 * <p>Each part names operations of a scene, as in {@code "put(1) take"}, with at most one int
 * argument.
 */
public record Corner(String before, String left, String right, String after) {
  public ExecutionScenario of(Class<?> scene) {
    return new ExecutionScenario(
        actors(scene, before),
        List.of(actors(scene, left), actors(scene, right)),
        actors(scene, after),
        null);
  }

  private static List<Actor> actors(Class<?> scene, String calls) {
    return Arrays.stream(calls.split(" "))
        .filter(call -> !call.isEmpty())
        .map(call -> actor(scene, call))
        .toList();
  }

  private static Actor actor(Class<?> scene, String call) {
    int bracket = call.indexOf('(');
    try {
      if (bracket < 0) {
        return new Actor(scene.getMethod(call), List.of());
      }
      Method method = scene.getMethod(call.substring(0, bracket), int.class);
      String argument = call.substring(bracket + 1, call.length() - 1);
      return new Actor(method, List.of(Integer.valueOf(argument)));
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException("no operation for " + call, e);
    }
  }
}
