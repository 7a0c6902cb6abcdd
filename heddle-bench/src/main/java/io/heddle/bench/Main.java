package io.heddle.bench;

import io.heddle.bench.channels.ChannelsReport;
import io.heddle.bench.channels.Waiters;
import io.heddle.bench.cluster.RemoteChannelReport;
import io.heddle.bench.suite.Bench;
import io.heddle.bench.weaving.WeavingReport;
import java.util.Arrays;

/**
 * The main class of {@code benchmarks.jar}. The first argument selects the part: {@code bench} is
 * {@link Bench}, every row beside all peers; {@code channels} is {@link ChannelsReport};
 * {@code waiters} is {@link Waiters}; {@code cluster} is {@link RemoteChannelReport}; {@code
 * weaving} is {@link WeavingReport}; anything else is {@link Report}.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws Exception {
    String[] rest = Arrays.copyOfRange(args, Math.min(1, args.length), args.length);
    switch (args.length == 0 ? "" : args[0]) {
      case "bench" -> Bench.main(rest);
      case "channels" -> ChannelsReport.main(rest);
      case "weaving" -> WeavingReport.main(rest);
      case "cluster" -> RemoteChannelReport.main(rest);
      case "waiters" -> Waiters.main(rest);
      default -> Report.main(args);
    }
  }
}
