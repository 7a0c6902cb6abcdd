import io.heddle.Chan;
import io.heddle.Go;
import java.util.ArrayList;
import java.util.List;

void main() throws Exception {
  Go.main(
      () -> {
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
        IO.println(received);
      });
}
