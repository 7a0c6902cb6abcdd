package openjdk.child;

import io.heddle.testkit.ChildJvm;
import openjdk.World;

/**
 * A program in a JVM of its own, in the world of this one. Apart from {@link World}, which programs
 * in child JVMs use, too.
 */
public final class WorldJvm {
  private WorldJvm() {}

  public static ChildJvm inThisWorld(String... flags) {
    return ChildJvm.bare()
        .flags(World.current().flags().toArray(String[]::new))
        .flags("-Dopenjdk.world=" + World.current())
        .flags(flags)
        .flags("-cp", ChildJvm.placeOf(WorldJvm.class).toString());
  }
}
