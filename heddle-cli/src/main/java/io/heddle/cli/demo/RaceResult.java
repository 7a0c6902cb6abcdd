package io.heddle.cli.demo;

import java.util.ArrayList;
import java.util.List;

/** The times of one runner in the rounds of the race. */
final class RaceResult {
  private final Runner runner;
  private final List<Elapsed> rounds = new ArrayList<>();

  RaceResult(Runner runner) {
    this.runner = runner;
  }

  Runner runner() {
    return runner;
  }

  String name() {
    return runner.name();
  }

  void add(Elapsed round) {
    rounds.add(round);
  }

  Elapsed last() {
    return rounds.getLast();
  }

  Elapsed best() {
    return sorted().getFirst();
  }

  Elapsed median() {
    return sorted().get(rounds.size() / 2);
  }

  Elapsed worst() {
    return sorted().getLast();
  }

  private List<Elapsed> sorted() {
    return rounds.stream().sorted().toList();
  }
}
