package frameworks;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;

/** Verticles on virtual threads: Vert.x makes them itself, so the agent. */
final class VertxVerticles {
  private VertxVerticles() {}

  public static void main(String[] args) throws InterruptedException {
    Vertx vertx = Vertx.vertx();
    Proof.of(
        task ->
            vertx.deployVerticle(
                new AbstractVerticle() {
                  @Override
                  public void start() {
                    task.run();
                  }
                },
                // recipe
                new DeploymentOptions().setThreadingModel(ThreadingModel.VIRTUAL_THREAD)
                // end
                ));
  }
}
