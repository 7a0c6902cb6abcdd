package recipes;

import io.heddle.Scheduler;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.charset.StandardCharsets;

/** The JDK's HTTP client, with its tasks as goroutines. */
public final class HttpClientRecipe {
  private HttpClientRecipe() {}

  /** Argument: the URL to fetch. */
  public static void main(String[] args) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(args[0])).build();
    // recipe
    HttpClient client = HttpClient.newBuilder().executor(Scheduler.shared().executor()).build();
    // end
    BodyHandler<String> handler = HttpClientRecipe::read;
    try (client) {
      System.out.println(client.send(request, handler).body());
    }
  }

  /** Called by the client on a thread of its executor. */
  private static BodySubscriber<String> read(ResponseInfo answer) {
    System.out.println("answer " + answer.statusCode() + " on " + Thread.currentThread());
    return BodySubscribers.ofString(StandardCharsets.UTF_8);
  }
}
