package io.heddle.cli.cluster;

import io.heddle.cli.screen.Screen;
import io.heddle.cluster.ChannelDepth;
import io.heddle.cluster.ChannelStats;
import io.heddle.cluster.ClusterStatus;
import io.heddle.cluster.ClusterStatus.ChannelStatus;
import io.heddle.cluster.ClusterStatus.MemberStatus;
import io.heddle.cluster.ClusterStatus.TaskStatus;
import io.heddle.cluster.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats the status of a cluster as text of at most 80 columns. */
public final class StatusView {
  private static final int MAX_ROWS = 40;
  private static final int NAME = 22;

  private final Screen screen;

  public StatusView(Screen screen) {
    this.screen = screen;
  }

  /** Returns the lines of the later of two looks, with the rates between them. */
  public List<String> lines(ClusterStatus before, ClusterStatus now, double seconds) {
    List<String> lines = new ArrayList<>();
    lines.add(screen.bold("cluster " + now.cluster()) + " on " + now.engine());
    lines.add("  " + cut(now.address(), 78));
    lines.add("");
    members(lines, now.members());
    lines.add("");
    channels(lines, now, new Rates(before, seconds));
    if (!now.tasks().isEmpty()) {
      lines.add("");
      tasks(lines, now.tasks());
    }
    return lines;
  }

  private void members(List<String> lines, List<MemberStatus> members) {
    lines.add(
        screen.bold(
            text(
                "%-" + NAME + "s %-14s %7s %-9s %5s %7s %7s",
                "member",
                "host",
                "pid",
                "java",
                "procs",
                "gorout.",
                "tasks")));
    for (MemberStatus each : first(members)) {
      Member member = each.member();
      String line =
          text(
              "%-" + NAME + "s %-14s %7d %-9s %5d %7s %7d",
              cut(member.id(), NAME),
              cut(member.host(), 14),
              member.pid(),
              cut(member.java(), 9),
              member.procs(),
              count(member.goroutines()),
              member.tasks());
      lines.add(each.hasAnswered() ? line : screen.red(line));
      if (!each.hasAnswered()) {
        lines.add("  does not answer: what it did is missing below");
      }
    }
    rest(lines, members);
  }

  private void channels(List<String> lines, ClusterStatus now, Rates rates) {
    if (now.channels().isEmpty()) {
      lines.add("no channels");
      return;
    }
    lines.add(
        screen.bold(
            text(
                "%-" + NAME + "s %8s %7s %7s %7s %6s %8s %8s",
                "channel",
                "stored",
                "held",
                "lag",
                "again",
                "dead",
                "sent/s",
                "acked/s")));
    for (ChannelStatus each : first(now.channels())) {
      ChannelDepth depth = each.depth();
      String line =
          text(
              "%-" + NAME + "s %8s %7s %7s %7s %6s %8s %8s",
              cut(each.name() + (each.isClosed() ? " (closed)" : ""), NAME),
              depth == null ? "?" : count((double) depth.stored()),
              depth == null ? "?" : count((double) depth.unacknowledged()),
              depth == null ? "?" : age(depth.lag()),
              count((double) each.stats().repeated()),
              depth == null ? "?" : count((double) depth.deadLetters()),
              count(rates.of(each, ChannelStats::sent)),
              count(rates.of(each, ChannelStats::acknowledged)));
      lines.add(depth != null && depth.deadLetters() > 0 ? screen.red(line) : line);
    }
    rest(lines, now.channels());
    if (now.moreChannels() > 0) {
      lines.add("and " + now.moreChannels() + " channels that were not asked for");
    }
  }

  private void tasks(List<String> lines, List<TaskStatus> tasks) {
    lines.add(
        screen.bold(
            text(
                "%-" + NAME + "s %-" + NAME + "s %-" + NAME + "s %10s",
                "remote goroutine",
                "started by",
                "runs on",
                "for")));
    for (TaskStatus each : first(tasks)) {
      lines.add(
          text(
              "%-" + NAME + "s %-" + NAME + "s %-" + NAME + "s %10s",
              cut(each.function(), NAME),
              cut(each.caller(), NAME),
              cut(each.node(), NAME),
              age(each.runsFor())));
    }
    rest(lines, tasks);
  }

  private static <T> List<T> first(List<T> all) {
    return all.subList(0, Math.min(MAX_ROWS, all.size()));
  }

  private static void rest(List<String> lines, List<?> all) {
    if (all.size() > MAX_ROWS) {
      lines.add("and " + (all.size() - MAX_ROWS) + " more; --json has all");
    }
  }

  private static String text(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }

  private static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, width - 1) + "~";
  }

  /** Formats a count in at most seven columns. */
  static String count(double n) {
    if (n < 100_000) {
      return text("%,.0f", n);
    }
    return n < 1e8 ? text("%,.0fk", n / 1e3) : text("%,.0fM", n / 1e6);
  }

  /** Formats a time in at most seven columns. */
  static String age(@Nullable Duration time) {
    if (time == null) {
      return "?";
    }
    double seconds = time.toNanos() / 1e9;
    if (seconds == 0) {
      return "-";
    }
    if (seconds < 100) {
      return text("%.1fs", seconds);
    }
    return seconds < 6_000 ? text("%.0fmin", seconds / 60) : text("%.0fh", seconds / 3_600);
  }
}
