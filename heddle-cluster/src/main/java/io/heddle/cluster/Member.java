package io.heddle.cluster;

import java.time.Instant;
import java.util.Objects;

/**
 * A node of the cluster, as it last told about itself. It does so about every second.
 *
 * @param id its id, unique for ever: the name and a number
 * @param name the name of {@link ClusterOptions#node}
 * @param host the host it runs on
 * @param pid its process
 * @param java the version of its JVM
 * @param procs the number of Ps of its scheduler
 * @param goroutines how many goroutines were alive in its scheduler
 * @param tasks how many remote goroutines ran there
 * @param since when it joined, by its own clock
 */
public record Member(
    String id,
    String name,
    String host,
    long pid,
    String java,
    int procs,
    int goroutines,
    int tasks,
    Instant since) {
  /** Makes a member; what was read from the engine may lack parts. */
  public Member {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(java, "java");
    Objects.requireNonNull(since, "since");
  }
}
