package frameworks;

import io.helidon.webserver.WebServer;

/** Helidon runs each request on a virtual thread of the JDK, and has no hook: the agent. */
final class Helidon {
  private Helidon() {}

  public static void main(String[] args) throws InterruptedException {
    WebServer server =
        WebServer.builder()
            .host("127.0.0.1")
            .port(0)
            .routing(
                routing ->
                    routing
                        .get(
                            "/compute",
                            (request, response) -> response.send(Proof.request("compute")))
                        .get(
                            "/answer",
                            (request, response) -> response.send(Proof.request("answer"))))
            .build()
            .start();
    Proof.ofRequests(server.port());
  }
}
