package io.heddle.internal.dashboard;

import io.heddle.internal.base.JsonWriter;
import io.heddle.internal.sched.G;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes goroutines as JSON for the picture on the page, where each is a dot. A goroutine becomes
 * {@code [id, label]}. The label is an index into the list of texts that {@link #writeLabels}
 * writes afterwards.
 */
final class GoroutineDots {
  private final JsonWriter json;
  private final Map<String, Integer> labels = new LinkedHashMap<>();

  GoroutineDots(JsonWriter json) {
    this.json = json;
  }

  void dot(String key, @Nullable G g) {
    if (g != null) {
      json.key(key);
      write(g);
    }
  }

  void list(String key, List<G> some) {
    json.key(key).open('[');
    some.forEach(this::write);
    json.close(']');
  }

  void writeLabels() {
    json.key("labelNames").open('[');
    labels.keySet().forEach(json::value);
    json.close(']');
  }

  private void write(G g) {
    json.open('[').value(g.id());
    json.value(labels.computeIfAbsent(GoroutineLabel.of(g), _ -> labels.size())).close(']');
  }
}
