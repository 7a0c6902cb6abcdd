package io.heddle.cluster.artemis;

/** What a {@link Packet} says. The order is part of the protocol. */
enum Op {
  // From a node to the hub: the number of a request, or 0, and the fields.
  HELLO, // version, cluster
  OPEN, // log, specification
  LOOK, // log
  DELETE, // log
  PUBLISH, // log, id, frame
  ROOM, // log
  TAP, // log, tap, window
  UNTAP, // tap
  CREDIT, // tap
  STATE, // log
  SEAL, // log
  ACK, // log, sequence, hold
  GIVE_BACK, // log, sequence, hold, delay
  RENEW, // log, sequence, hold
  GET, // key
  LIST, // path
  CREATE, // key, value, time to live
  REPLACE, // key, value, time to live, revision
  DELETE_KEY, // key, revision
  WATCH, // watch, path
  UNWATCH, // watch
  TELL, // subject, message
  ASK, // subject, message, limit
  ANSWER, // ask, message
  LISTEN, // listener, subject
  UNLISTEN, // listener
  BYE, // answered when everything before it is done

  // From the hub to a node.
  DONE, // the number of the request; what it asked for
  REFUSED, // the number of the request; why
  HAND, // tap, sequence, hold, attempt, frame
  LOST, // tap, sequence, hold: a lease has ended
  SET, // watch, key, value, revision
  REMOVED, // watch, key
  HEARD; // listener, ask or 0, message

  private static final Op[] ALL = values();

  static Op of(int code) {
    if (code < 0 || code >= ALL.length) {
      throw new BadPacketException("there is no operation " + code);
    }
    return ALL[code];
  }
}
