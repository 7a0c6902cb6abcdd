package io.heddle.cluster.artemis;

/** A packet is not what the protocol says: it was not written by this version of Heddle. */
final class BadPacketException extends RuntimeException {
  private static final long serialVersionUID = 1;

  BadPacketException(String why) {
    super(why);
  }
}
