package io.heddle.cluster.contract;

import io.heddle.Go;
import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterOptions;
import io.heddle.cluster.Delivery;
import io.heddle.cluster.Lease;
import io.heddle.cluster.RemoteChan;
import io.heddle.testkit.ChildJvm;
import java.io.BufferedReader;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A process of {@link MatrixContract}, which a test kills or stops. It prints what it does. */
public final class MatrixNode implements AutoCloseable {
  public static final Duration LEASE = Duration.ofSeconds(3);
  public static final int CAPACITY = 50;
  public static final int ATTEMPTS = 3;

  private final Process process;
  private final BufferedReader out;

  /** A value of this version of the program. */
  public record Order(int number, String what) {}

  /** The same in a newer version. */
  public record NewOrder(int number, String what, String priority) {}

  /** The same in a version that nothing else can read. */
  public record OtherOrder(String number, String what) {}

  /** Starts a process. */
  public MatrixNode(String uri, String role) throws Exception {
    process =
        ChildJvm.bare()
            .flags(
                ChildJvm.OPENS,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"))
            .builder(MatrixNode.class.getName(), uri, role)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    out = process.inputReader();
  }

  /** Returns the next line that it prints; null at its end. */
  public String line() throws Exception {
    return out.readLine();
  }

  public void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
  }

  /** Kills the process, as {@code kill -9} does. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  public int exitCode() throws Exception {
    return process.waitFor();
  }

  @Override
  public void close() {
    kill();
  }

  public static ClusterOptions options(String node) {
    return ClusterOptions.defaults()
        .cluster("matrix")
        .node(node)
        .lease(LEASE)
        .connectTimeout(Duration.ofSeconds(30));
  }

  public static <T> RemoteChan<T> chan(Cluster on, String name, Class<T> type)
      throws InterruptedException {
    return on.chan(name, type).capacity(CAPACITY).lease(LEASE).window(4).attempts(ATTEMPTS).open();
  }

  public static void main(String[] args) throws Exception {
    try (Cluster cluster = Cluster.open(args[0], options(args[1]))) {
      switch (args[1]) {
        case "worker" -> work(cluster);
        case "holder" -> hold(cluster);
        case "slow" -> receiveSlowly(cluster);
        case "victim" -> receivePoison(cluster);
        case "newer" -> sendNewerValues(cluster);
        default -> throw new IllegalArgumentException(args[1]);
      }
    }
  }

  /** Two functions: one never ends, the other fails. */
  private static void work(Cluster cluster) throws Exception {
    cluster.register(
        "hold",
        String.class,
        String.class,
        (_, input) -> {
          System.out.println("began " + input);
          TimeUnit.DAYS.sleep(1);
          return input;
        });
    cluster.register(
        "fail",
        String.class,
        String.class,
        (_, input) -> {
          throw new IllegalStateException("cannot do " + input);
        });
    System.out.println(cluster.id());
    TimeUnit.DAYS.sleep(1);
  }

  private static void hold(Cluster cluster) throws Exception {
    Lease lease = cluster.mutex("ledger").lock();
    System.out.println(lease.token());
    var _ = lease.lost().receive();
    System.out.println("lost " + lease.isLost());
    lease.close();
    try (Lease next = cluster.mutex("ledger").lock()) {
      System.out.println(next.token());
    }
  }

  private static void receiveSlowly(Cluster cluster) throws Exception {
    int n = 0;
    for (Order each : chan(cluster, "orders", Order.class).values()) {
      if (each.number() != n++) {
        System.out.println("out of order: " + each);
      }
      Go.sleep(Duration.ofMillis(2));
    }
    System.out.println(n);
  }

  /** A value that ends each process that looks at it. */
  private static void receivePoison(Cluster cluster) throws Exception {
    RemoteChan<String> in = chan(cluster, "poison", String.class);
    for (Delivery<String> next = in.receive(); next != null; next = in.receive()) {
      System.out.println(next.value());
      if (next.value().equals("poison")) {
        Runtime.getRuntime().halt(134); // as after a crash of the JVM
      }
      next.ack();
    }
  }

  private static void sendNewerValues(Cluster cluster) throws Exception {
    chan(cluster, "orders", NewOrder.class).send(new NewOrder(1, "newer", "high"));
    System.out.println("sent");
  }
}
