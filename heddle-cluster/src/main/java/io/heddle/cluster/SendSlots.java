package io.heddle.cluster;

import io.heddle.Chan;

/**
 * The right to send, as values of a local channel, so that a send can be a case of a select: the
 * case receives a slot, and its handler sends. There are no slots while the log is known to be
 * full.
 */
final class SendSlots {
  /** How many selects of this node can send at the same time. */
  private static final int SLOTS = 64;

  // All but the channel is touched in events of the outbox only.
  private final Chan<Boolean> slots;
  private int hidden;

  SendSlots(String label) {
    slots = Chan.external(label, SLOTS);
    for (int i = 0; i < SLOTS; i++) {
      boolean _ = slots.trySend(true);
    }
  }

  Chan<Boolean> slots() {
    return slots;
  }

  void hide() {
    while (slots.tryReceive() != null) {
      hidden++;
    }
  }

  void show() {
    while (hidden > 0 && slots.trySend(true)) {
      hidden--;
    }
  }

  void giveBack(boolean hide) {
    hidden++;
    if (!hide && !slots.isClosed()) {
      show();
    }
  }

  /** From now on a select always fires, so that it learns of the end. */
  void close() {
    hide();
    if (!slots.isClosed()) {
      slots.close();
    }
  }
}
