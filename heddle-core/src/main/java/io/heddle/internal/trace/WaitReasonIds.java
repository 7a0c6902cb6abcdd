package io.heddle.internal.trace;

import org.jspecify.annotations.Nullable;

/**
 * A cache of the numbers that {@link StringTable} gives to wait reasons, for one track (see {@link
 * EventTrack}). The cache compares reasons by identity, because most reasons are string constants.
 * It tries the reason of the last call first, because the next reason is usually the same. The hash
 * code of a reason selects its slot in the cache. A new reason replaces an earlier one in that
 * slot.
 */
final class WaitReasonIds {
  private static final int SLOTS = 16;

  private final StringTable strings;
  private final @Nullable String[] known = new String[SLOTS];
  private final int[] ids = new int[SLOTS];
  private @Nullable String last;
  private int lastId;

  WaitReasonIds(StringTable strings) {
    this.strings = strings;
  }

  int idOf(String reason) {
    if (reason != last) {
      lastId = lookUp(reason);
      last = reason;
    }
    return lastId;
  }

  private int lookUp(String reason) {
    int slot = reason.hashCode() & (SLOTS - 1);
    if (known[slot] != reason) {
      known[slot] = reason;
      ids[slot] = strings.idOf(reason);
    }
    return ids[slot];
  }
}
