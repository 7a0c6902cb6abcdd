package io.heddle.internal.cgroup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the limits of a process from its control groups. A file that is missing, or whose content
 * is not what Linux writes, counts as no limit.
 */
public final class CgroupReader {
  /*
   * 1. /proc/self/mountinfo says where the hierarchies of groups are mounted, and which group is
   *    the root of each mount. Version 2 has one hierarchy. Version 1 has several hierarchies, each
   *    for one or more controllers, such as cpu and memory. Both versions can be mounted; version 2
   *    then usually has no controllers.
   * 2. /proc/PID/cgroup names the group of the process in each hierarchy.
   * 3. The folder of that group, and all folders above it up to the mount, limit the process. In a
   *    container the mount is often the group of the container, so that groups above are not
   *    visible.
   * The mounts are read once, because they do not change while a process runs. The groups are read
   * each time, because a process can be moved to another group. This code runs at the start of a
   * program. So it uses no streams, lambdas or regular expressions, because their first use takes
   * far longer than the rest.
   */

  /**
   * A mounted hierarchy.
   *
   * @param root the group that is the root of the mount
   * @param point the folder where the hierarchy is mounted
   * @param controllers the mount options, which name the controllers; empty in version 2, whose
   *     only hierarchy has all controllers
   */
  private record Mount(String root, Path point, String controllers) {
    boolean isV2() {
      return controllers.isEmpty();
    }
  }

  /** A group with limits. {@code isV2} says that the group is in the hierarchy of version 2. */
  private record LimitedGroup(Path folder, boolean isV2) {}

  /** The controllers of version 1 that limit what this class reads. */
  private enum Controller {
    CPU("cpu"),
    CPUSET("cpuset"),
    MEMORY("memory"),
    PIDS("pids");

    final String word;

    Controller(String word) {
      this.word = word;
    }
  }

  private static final OptionalLong NONE = OptionalLong.empty();

  private static final String SELF = "self";

  /**
   * A number with more digits than this exceeds what any machine has, and so counts as no limit.
   */
  private static final int MOST_DIGITS = 18;

  private final Path root;
  private final String process;
  private @Nullable List<Mount> mounts;

  /**
   * Makes a reader.
   *
   * @param root the root of the file system; in tests a folder that has the files
   * @param process the name of a folder in {@code /proc}: an id, or {@code self}
   */
  public CgroupReader(Path root, String process) {
    this.root = root;
    this.process = process;
  }

  /** Returns a reader for this process. */
  public static CgroupReader ofThisProcess() {
    return new CgroupReader(Path.of("/"), SELF);
  }

  /** Reads the limits as they are now. */
  public synchronized ContainerLimits read() {
    if (mounts == null) {
      mounts = mounts(lines(root.resolve("proc/self/mountinfo")));
    }
    List<String> names = lines(root.resolve("proc/" + process + "/cgroup"));
    OptionalLong quota = NONE;
    OptionalLong periods = NONE;
    OptionalLong nanos = NONE;
    for (LimitedGroup group : groups(mounts, names, Controller.CPU)) {
      quota = ContainerLimits.least(quota, quota(group));
      List<String> stat = lines(group.folder.resolve("cpu.stat"));
      periods = sum(periods, value(stat, "nr_throttled "));
      nanos = sum(nanos, throttledNanos(group, stat));
    }
    OptionalLong cpuSet = NONE;
    for (LimitedGroup group : groups(mounts, names, Controller.CPUSET)) {
      cpuSet = ContainerLimits.least(cpuSet, cpuSet(group));
    }
    OptionalLong memory = NONE;
    for (LimitedGroup group : groups(mounts, names, Controller.MEMORY)) {
      memory =
          ContainerLimits.least(
              memory, number(first(group, group.isV2 ? "memory.max" : "memory.limit_in_bytes")));
    }
    OptionalLong processes = NONE;
    for (LimitedGroup group : groups(mounts, names, Controller.PIDS)) {
      processes = ContainerLimits.least(processes, number(first(group, "pids.max")));
    }
    return new ContainerLimits(quota, cpuSet, periods, nanos, memory, machineMemory(), processes);
  }

  /**
   * Parses lines such as {@code 32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu}: after
   * the hyphen the type, the source and the options, which name the controllers.
   */
  private List<Mount> mounts(List<String> lines) {
    List<Mount> found = new ArrayList<>();
    for (String line : lines) {
      int hyphen = line.indexOf(" - cgroup");
      if (hyphen < 0) {
        continue;
      }
      List<String> before = words(line.substring(0, hyphen));
      List<String> after = words(line.substring(hyphen + 3));
      if (before.size() >= 5 && after.size() >= 3) {
        String controllers = after.getFirst().equals("cgroup2") ? "" : after.get(2);
        String from = unescaped(before.get(3));
        found.add(new Mount(from, inRoot(unescaped(before.get(4))), controllers));
      }
    }
    return found;
  }

  /**
   * Returns the groups that limit the process by {@code controller}, the innermost first.
   *
   * @param all the mounts
   * @param lines the lines of {@code /proc/PID/cgroup}: number of the hierarchy, colon, its
   *     controllers (none in version 2), colon, path of the group
   */
  private List<LimitedGroup> groups(List<Mount> all, List<String> lines, Controller controller) {
    List<LimitedGroup> found = new ArrayList<>();
    for (String line : lines) {
      int first = line.indexOf(':');
      int second = line.indexOf(':', first + 1);
      if (second < 0) {
        continue;
      }
      String controllers = line.substring(first + 1, second);
      boolean isV2 = controllers.isEmpty();
      if (isV2 || names(controllers, controller)) {
        for (Mount mount : all) {
          if (isV2 ? mount.isV2() : names(mount.controllers, controller)) {
            addGroups(found, mount, line.substring(second + 1), isV2);
            break;
          }
        }
      }
    }
    return found;
  }

  /** Whether {@code list}, whose items are separated by commas, contains {@code controller}. */
  private static boolean names(String list, Controller controller) {
    return ("," + list + ",").contains("," + controller.word + ",");
  }

  private void addGroups(List<LimitedGroup> found, Mount mount, String path, boolean isV2) {
    if (path.contains("/..")) { // above this mount: read the mount that the process sees
      Path seen = root.resolve("proc/" + process + "/root").resolve(root.relativize(mount.point));
      found.add(new LimitedGroup(seen, isV2));
      return;
    }
    String below = mount.root.equals("/") ? path : after(mount.root, path);
    Path folder = mount.point.resolve(relative(below)).normalize();
    for (Path each = folder;
        each != null && each.startsWith(mount.point);
        each = each.getParent()) {
      found.add(
          new LimitedGroup(each, isV2)); // the files of a group that is not visible are missing
    }
  }

  /**
   * Returns the rest of {@code path} after the folder {@code start}; empty if {@code path} is not
   * below that folder.
   */
  private static String after(String start, String path) {
    return path.startsWith(start + "/") ? path.substring(start.length()) : "";
  }

  private Path inRoot(String path) {
    return root.resolve(relative(path)).normalize();
  }

  private static String relative(String path) {
    return path.startsWith("/") ? path.substring(1) : path;
  }

  /**
   * Replaces the octal numbers that the kernel writes for a space, a tab and a backslash by these
   * characters.
   */
  private static String unescaped(String text) {
    return text.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
  }

  /** Returns the quota in thousandths of a CPU; empty if there is none. */
  private static OptionalLong quota(LimitedGroup group) {
    if (!group.isV2) {
      return quota(first(group, "cpu.cfs_quota_us"), first(group, "cpu.cfs_period_us"));
    }
    List<String> words = words(first(group, "cpu.max"));
    return words.size() < 2 ? NONE : quota(words.get(0), words.get(1));
  }

  private static OptionalLong quota(String micros, String ofMicros) {
    OptionalLong quota = number(micros);
    OptionalLong period = number(ofMicros);
    if (quota.orElse(0) == 0 || period.orElse(0) == 0) {
      return NONE;
    }
    double cpus = (double) quota.getAsLong() / period.getAsLong();
    return OptionalLong.of(Math.max(1, Math.round(1_000 * cpus)));
  }

  /**
   * Returns the number of CPUs in the list of the group, such as {@code 0-3,8}. Returns empty if
   * there is no list, or the list is malformed.
   */
  private static OptionalLong cpuSet(LimitedGroup group) {
    String list = first(group, group.isV2 ? "cpuset.cpus.effective" : "cpuset.effective_cpus");
    StringTokenizer ranges = new StringTokenizer(list, ", \n");
    OptionalLong n = NONE;
    while (ranges.hasMoreTokens()) {
      String range = ranges.nextToken();
      int hyphen = range.indexOf('-');
      OptionalLong from = number(hyphen < 0 ? range : range.substring(0, hyphen));
      OptionalLong to = number(range.substring(hyphen + 1));
      if (from.isEmpty() || to.isEmpty() || to.getAsLong() < from.getAsLong()) {
        return NONE;
      }
      n = sum(n, OptionalLong.of(to.getAsLong() - from.getAsLong() + 1));
    }
    return n;
  }

  private static OptionalLong throttledNanos(LimitedGroup group, List<String> stat) {
    OptionalLong time = value(stat, group.isV2 ? "throttled_usec " : "throttled_time ");
    return time.isPresent() && group.isV2 ? OptionalLong.of(1_000 * time.getAsLong()) : time;
  }

  private OptionalLong machineMemory() {
    OptionalLong kilobytes = value(lines(root.resolve("proc/meminfo")), "MemTotal:");
    return kilobytes.isEmpty() ? kilobytes : OptionalLong.of(kilobytes.getAsLong() << 10);
  }

  /**
   * Returns the number after {@code start} in the first line that begins with {@code start}; empty
   * if there is none.
   */
  private static OptionalLong value(List<String> lines, String start) {
    for (String line : lines) {
      if (line.startsWith(start)) {
        return number(line.substring(start.length()));
      }
    }
    return NONE;
  }

  private static OptionalLong sum(OptionalLong a, OptionalLong b) {
    return a.isPresent() && b.isPresent()
        ? OptionalLong.of(a.getAsLong() + b.getAsLong())
        : (a.isPresent() ? a : b);
  }

  /**
   * Parses the first word of {@code text}. Returns empty if that word is not a number, or has more
   * than {@link #MOST_DIGITS} digits: where there is no limit, version 1 writes a number of 19
   * digits, and version 2 writes {@code max}.
   */
  private static OptionalLong number(String text) {
    List<String> words = words(text);
    String word = words.isEmpty() ? "" : words.getFirst();
    if (word.isEmpty() || word.length() > MOST_DIGITS) {
      return NONE;
    }
    for (int i = 0; i < word.length(); i++) {
      if (word.charAt(i) < '0' || word.charAt(i) > '9') {
        return NONE;
      }
    }
    return OptionalLong.of(Long.parseLong(word));
  }

  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    for (StringTokenizer rest = new StringTokenizer(text); rest.hasMoreTokens(); ) {
      words.add(rest.nextToken());
    }
    return words;
  }

  private static String first(LimitedGroup group, String file) {
    List<String> lines = lines(group.folder.resolve(file));
    return lines.isEmpty() ? "" : lines.getFirst();
  }

  private static List<String> lines(Path file) {
    List<String> lines = new ArrayList<>();
    try {
      String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
      for (StringTokenizer rest = new StringTokenizer(text, "\n"); rest.hasMoreTokens(); ) {
        lines.add(rest.nextToken());
      }
    } catch (IOException | RuntimeException e) {
      // the file is missing or cannot be read: not Linux, another version, or another user's
      // process
    }
    return lines;
  }
}
