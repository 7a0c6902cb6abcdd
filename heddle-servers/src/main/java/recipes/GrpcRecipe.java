package recipes;

import acme.GrpcService;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.heddle.Scheduler;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** gRPC with a goroutine for each call. */
public final class GrpcRecipe {
  private GrpcRecipe() {}

  public static void main(String[] args) throws Exception {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
    // recipe
    Server server =
        NettyServerBuilder.forAddress(address)
            .executor(Scheduler.shared().executor())
            .addService(GrpcService.definition())
            .build();
    // end
    server.start();
    System.out.println("listening on " + server.getPort());
    server.awaitTermination();
  }
}
