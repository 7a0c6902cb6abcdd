package io.heddle.cluster.local;

import io.heddle.cluster.spi.Wire;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The listeners of one cluster. The hub's lock guards everything. */
final class LocalWire {
  private final Map<String, List<Hearing>> listeners = new LinkedHashMap<>();

  /** A listener with its node. */
  static final class Hearing {
    private final LocalLink link;
    private final Wire.Listener listener;
    private boolean isEnded;

    Hearing(LocalLink link, Wire.Listener listener) {
      this.link = link;
      this.listener = listener;
    }

    LocalLink link() {
      return link;
    }

    Wire.Listener listener() {
      return listener;
    }
  }

  void add(String subject, Hearing hearing) {
    if (hearing.isEnded) {
      return; // its node has given up, and this is late
    }
    listeners.computeIfAbsent(subject, _ -> new ArrayList<>()).add(hearing);
  }

  void remove(String subject, Hearing hearing) {
    hearing.isEnded = true;
    List<Hearing> all = listeners.getOrDefault(subject, new ArrayList<>());
    all.removeIf(each -> each == hearing);
    if (all.isEmpty()) {
      listeners.remove(subject);
    }
  }

  /** Returns those that listen to a subject now. */
  List<Hearing> of(String subject) {
    return List.copyOf(listeners.getOrDefault(subject, List.of()));
  }
}
