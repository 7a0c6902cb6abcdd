package golang;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * The numbers of Ps that each test runs on, and how often: {@code -Dheddle.conformance.rounds=50}
 * runs each 50 times.
 */
final class Rounds implements ArgumentsProvider {
  private static final int ROUNDS = Integer.getInteger("heddle.conformance.rounds", 1);

  @Override
  public Stream<? extends Arguments> provideArguments(
      ParameterDeclarations parameters, ExtensionContext context) {
    return IntStream.rangeClosed(1, ROUNDS)
        .boxed()
        .flatMap(round -> IntStream.of(1, 2, 8).mapToObj(procs -> Arguments.of(procs, round)));
  }
}
