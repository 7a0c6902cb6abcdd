package io.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ShopTest {
  @Test
  void answersUntilItIsKilled() throws Exception {
    Process shop = Example.of("Shop", "1").start();
    try (BufferedReader out = shop.inputReader();
        HttpClient client = HttpClient.newHttpClient()) {
      String line = out.readLine();
      assertThat(line).matches("listening on [1-9][0-9]*");
      String url = "http://localhost:" + line.substring("listening on ".length());
      assertThat(get(client, url + "/hello")).startsWith("hello from VirtualThread[");
      assertThat(get(client, url + "/enough")).isEqualTo("the faults end\n");
      assertThat(get(client, url + "/report")).isEqualTo("the sum is 0\n");
      assertThat(get(client, url + "/codec")).isEqualTo("a table\n");
    } finally {
      shop.destroyForcibly();
    }
  }

  @Test
  void refusesAWrongArgument() throws Exception {
    Example.of("Shop", "long")
        .run()
        .isRefused("How many seconds do the faults last? 1 to 9999, not: long");
  }

  private static String get(HttpClient client, String url) throws Exception {
    return client
        .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
        .body();
  }
}
