package io.heddle;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Finds circles in a graph: Tarjan's algorithm for strongly connected components. */
final class Cycles {
  private final Map<String, Set<String>> graph;
  private final Map<String, Integer> index = new HashMap<>();
  private final Map<String, Integer> low = new HashMap<>();
  private final Deque<String> stack = new ArrayDeque<>();
  private Set<String> largest = new TreeSet<>();

  private Cycles(Map<String, Set<String>> graph) {
    this.graph = graph;
  }

  /**
   * Returns the largest set of nodes that can all reach each other; empty if there is none of two
   * or more.
   */
  static Set<String> largest(Map<String, Set<String>> graph) {
    Cycles cycles = new Cycles(graph);
    for (String node : graph.keySet()) {
      if (!cycles.index.containsKey(node)) {
        cycles.visit(node);
      }
    }
    return cycles.largest.size() > 1 ? cycles.largest : new TreeSet<>();
  }

  private void visit(String node) {
    int number = index.size();
    index.put(node, number);
    low.put(node, number);
    stack.push(node);
    for (String next : graph.getOrDefault(node, Set.of())) {
      if (!index.containsKey(next)) {
        visit(next);
        low.merge(node, low.get(next), Math::min);
      } else if (stack.contains(next)) {
        low.merge(node, index.get(next), Math::min);
      }
    }
    if (low.get(node) == number) {
      Set<String> component = new TreeSet<>();
      String member;
      do {
        member = stack.pop();
        component.add(member);
      } while (!member.equals(node));
      if (component.size() > largest.size()) {
        largest = component;
      }
    }
  }
}
