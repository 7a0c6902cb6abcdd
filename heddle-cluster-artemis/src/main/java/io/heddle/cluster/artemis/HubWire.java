package io.heddle.cluster.artemis;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The listeners of one cluster at the hub, and what was asked. Belongs to the hub's thread. */
final class HubWire {
  private final Hub hub;
  private final Map<String, Set<Hearing>> listeners = new HashMap<>();
  private final Map<Hearing, String> subjects = new HashMap<>();
  private final Map<Long, Asked> asks = new HashMap<>();
  private long lastAsk;

  private record Hearing(Hub.Link link, long number) {}

  /** A request of a node, which takes the first answer. */
  private record Asked(Hub.Link link, long request) {}

  HubWire(Hub hub) {
    this.hub = hub;
  }

  void listen(Hub.Link link, long number, String subject) {
    Hearing hearing = new Hearing(link, number);
    listeners.computeIfAbsent(subject, _ -> new LinkedHashSet<>()).add(hearing);
    subjects.put(hearing, subject);
  }

  void unlisten(Hub.Link link, long number) {
    remove(new Hearing(link, number));
  }

  private void remove(Hearing hearing) {
    String subject = subjects.remove(hearing);
    Set<Hearing> all = subject == null ? null : listeners.get(subject);
    if (all != null) {
      all.remove(hearing);
      if (all.isEmpty()) {
        listeners.remove(subject);
      }
    }
  }

  void tell(String subject, byte[] message) {
    pass(subject, 0, message);
  }

  private void pass(String subject, long ask, byte[] message) {
    for (Hearing each : listeners.getOrDefault(subject, Set.of())) {
      each.link()
          .send(new Packet(Op.HEARD, 0, message.length).add(each.number()).add(ask).add(message));
    }
  }

  /** Answers with the first answer; with none if nothing listens. */
  void ask(Hub.Link link, long request, String subject, byte[] message, long limitNanos) {
    if (!listeners.containsKey(subject)) {
      link.send(new Packet(Op.DONE, request).add(false));
      return;
    }
    long ask = ++lastAsk;
    asks.put(ask, new Asked(link, request));
    Dues.Due _ = hub.dues().add(limitNanos, () -> asks.remove(ask));
    pass(subject, ask, message);
  }

  void answer(long ask, byte[] message) {
    Asked asked = asks.remove(ask);
    if (asked != null) {
      asked
          .link()
          .send(new Packet(Op.DONE, asked.request(), message.length).add(true).add(message));
    }
  }

  void gone(Hub.Link link) {
    Set.copyOf(subjects.keySet()).stream()
        .filter(each -> each.link() == link)
        .forEach(this::remove);
  }
}
