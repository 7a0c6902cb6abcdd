package io.heddle.cli.cluster;

import io.heddle.cluster.ChannelDepth;
import io.heddle.cluster.ChannelStats;
import io.heddle.cluster.ClusterStatus;
import io.heddle.cluster.ClusterStatus.ChannelStatus;
import io.heddle.cluster.ClusterStatus.MemberStatus;
import io.heddle.cluster.ClusterStatus.TaskStatus;
import io.heddle.cluster.Member;
import io.heddle.internal.base.JsonWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/** Writes the status of a cluster as JSON. */
public final class StatusJson {
  private StatusJson() {}

  /** Returns the later of two looks, with the rates between them. */
  public static String of(ClusterStatus before, ClusterStatus now, double seconds) {
    Rates rates = new Rates(before, seconds);
    JsonWriter json = new JsonWriter().open('{');
    json.field("cluster", now.cluster()).field("engine", now.engine());
    json.field("address", now.address()).key("members").open('[');
    now.members().forEach(each -> write(json, each));
    json.close(']').key("channels").open('[');
    now.channels().forEach(each -> write(json, each, rates));
    json.close(']').field("moreChannels", now.moreChannels()).key("tasks").open('[');
    now.tasks().forEach(each -> write(json, each));
    return json.close(']').close('}').toString();
  }

  private static void write(JsonWriter json, MemberStatus each) {
    Member member = each.member();
    json.open('{').field("id", member.id()).field("name", member.name());
    json.field("host", member.host()).field("pid", member.pid()).field("java", member.java());
    json.field("procs", member.procs()).field("goroutines", member.goroutines());
    json.field("tasks", member.tasks()).field("since", member.since().toString());
    json.field("answered", each.hasAnswered()).close('}');
  }

  private static void write(JsonWriter json, ChannelStatus each, Rates rates) {
    ChannelDepth depth = each.depth();
    ChannelStats stats = each.stats();
    json.open('{').field("name", each.name()).field("capacity", each.capacity());
    json.field("batch", each.batch()).field("closed", each.isClosed());
    if (depth != null) {
      json.field("stored", depth.stored()).field("unacknowledged", depth.unacknowledged());
      Duration lag = depth.lag();
      json.key("lagSeconds").raw(lag == null ? "null" : number(lag.toNanos() / 1e9));
      json.field("deadLetters", depth.deadLetters());
    }
    json.field("sent", stats.sent()).field("received", stats.received());
    json.field("redelivered", stats.repeated()).field("acknowledged", stats.acknowledged());
    json.field("buried", stats.dead()).field("holding", stats.holding());
    json.key("sentPerSecond").raw(number(rates.of(each, ChannelStats::sent)));
    json.key("acknowledgedPerSecond").raw(number(rates.of(each, ChannelStats::acknowledged)));
    json.close('}');
  }

  private static void write(JsonWriter json, TaskStatus each) {
    json.open('{').field("id", each.id()).field("function", each.function());
    json.field("caller", each.caller()).field("node", each.node());
    json.key("seconds").raw(number(each.runsFor().toNanos() / 1e9)).close('}');
  }

  private static String number(double value) {
    return BigDecimal.valueOf(value)
        .setScale(3, RoundingMode.HALF_UP)
        .stripTrailingZeros()
        .toPlainString();
  }
}
