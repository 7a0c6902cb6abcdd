package acme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.junit.HeddleTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SquaresTest {
  @Test
  void channelCarriesSquares() throws Exception {
    Go.main(SquaresTest::squares);
  }

  @HeddleTest(seeds = 5)
  void channelCarriesSquaresUnderEverySchedule() throws Exception {
    squares();
  }

  private static void squares() throws Exception {
    Chan<Integer> squares = Chan.make();
    Go.go(
        () -> {
          for (int i = 1; i <= 3; i++) {
            squares.send(i * i);
          }
          squares.close();
        });
    List<Integer> received = new ArrayList<>();
    for (int square : squares) {
      received.add(square);
    }
    assertEquals(List.of(1, 4, 9), received);
  }
}
