package io.heddle.cli.trace;

import java.io.IOException;
import java.io.Writer;
import java.util.Arrays;

/** The slices of one lane, in order. */
final class TimelineLane {
  private long[] starts = new long[64];
  private long[] lengths = new long[64];
  private int[] gs = new int[64];
  private int[] thens = new int[64];

  /** For merged slices: the part of the time in which a goroutine ran. */
  private float[] busy = new float[0];

  private int size;

  int size() {
    return size;
  }

  void add(long start, long length, int g, int then) {
    if (size == starts.length) {
      starts = Arrays.copyOf(starts, 2 * size);
      lengths = Arrays.copyOf(lengths, 2 * size);
      gs = Arrays.copyOf(gs, 2 * size);
      thens = Arrays.copyOf(thens, 2 * size);
    }
    starts[size] = start;
    lengths[size] = length;
    gs[size] = g;
    thens[size++] = then;
  }

  /**
   * Merges neighbours that fit into one bucket into one slice, with the negative number of slices
   * in place of the goroutine.
   */
  void mergeShorterThan(long bucket) {
    busy = new float[size];
    int to = 0;
    for (int i = 0; i < size; ) {
      int n = 0;
      long ran = 0;
      long end = starts[i];
      int from = i;
      while (i < size && starts[i] + lengths[i] - starts[from] < bucket) {
        ran += lengths[i];
        end = Math.max(end, starts[i] + lengths[i]);
        n++;
        i++;
      }
      if (n > 1) {
        set(to, starts[from], end - starts[from], -n, 0);
        busy[to++] = end == starts[from] ? 1 : (float) ran / (end - starts[from]);
        continue;
      }
      i = n == 0 ? i + 1 : i;
      set(to, starts[from], lengths[from], gs[from], thens[from]);
      busy[to++] = 1;
    }
    size = to;
  }

  private void set(int at, long start, long length, int g, int then) {
    starts[at] = start;
    lengths[at] = length;
    gs[at] = g;
    thens[at] = then;
  }

  /** Writes the slices; starts are differences, the first one from {@code base}. */
  void write(Writer out, long base) throws IOException {
    out.write("\"t\":[");
    long last = base;
    for (int i = 0; i < size; i++) {
      out.write((i == 0 ? "" : ",") + (starts[i] - last));
      last = starts[i];
    }
    array(out, "],\"d\":[", lengths);
    out.write("],\"g\":[");
    for (int i = 0; i < size; i++) {
      out.write((i == 0 ? "" : ",") + gs[i]);
    }
    out.write("],\"e\":[");
    for (int i = 0; i < size; i++) {
      out.write((i == 0 ? "" : ",") + thens[i]);
    }
    out.write("]");
    if (busy.length > 0) {
      out.write(",\"f\":[");
      for (int i = 0; i < size; i++) {
        out.write(
            (i == 0 ? "" : ",")
                + (busy[i] == 1 ? "1" : String.valueOf(Math.round(100 * busy[i]) / 100f)));
      }
      out.write("]");
    }
  }

  private void array(Writer out, String head, long[] values) throws IOException {
    out.write(head);
    for (int i = 0; i < size; i++) {
      out.write((i == 0 ? "" : ",") + values[i]);
    }
  }
}
