package frameworks;

import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.virtual.threads.VirtualThreads;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.util.concurrent.ExecutorService;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Runs the tasks of {@link Proof} by the injected executor, or by requests. */
@QuarkusMain
public class Main implements QuarkusApplication {
  @Inject @VirtualThreads ExecutorService threads;

  @ConfigProperty(name = "quarkus.http.port")
  int port;

  @Override
  public int run(String... args) throws InterruptedException {
    if (args[0].equals("injected")) {
      Proof.of(threads::execute);
    } else {
      Proof.ofRequests(port);
    }
    return 0;
  }

  /** A resource whose methods run on virtual threads. */
  @Path("/")
  public static class Tasks {
    @GET
    @Path("{task}")
    @RunOnVirtualThread
    public String run(@PathParam("task") String task) {
      return Proof.request(task);
    }
  }
}
