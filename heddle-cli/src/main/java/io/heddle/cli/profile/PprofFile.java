package io.heddle.cli.profile;

import io.heddle.ProfiledStack;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * A profile in the format of pprof: the message {@code Profile} of its {@code profile.proto},
 * compressed. State, scheduler, creation site and the goroutines' own labels are labels of the
 * samples.
 */
public final class PprofFile {
  // The numbers of the fields in profile.proto that are written here.
  private static final int SAMPLE_TYPE = 1;
  private static final int SAMPLE = 2;
  private static final int LOCATION = 4;
  private static final int FUNCTION = 5;
  private static final int STRING_TABLE = 6;
  private static final int TIME_NANOS = 9;
  private static final int DURATION_NANOS = 10;
  private static final int PERIOD_TYPE = 11;
  private static final int PERIOD = 12;
  private static final int DEFAULT_SAMPLE_TYPE = 14;

  /** A method: its name and its file. */
  private record Method(String name, String file) {}

  private final ProtobufOutput out = new ProtobufOutput();
  private final Map<String, Long> strings = new LinkedHashMap<>();
  private final Map<String, Long> locations = new LinkedHashMap<>();
  private final Map<Method, Long> functions = new LinkedHashMap<>();

  private PprofFile() {
    strings.put("", 0L);
  }

  /** Returns the bytes of the file. */
  public static byte[] of(WallProfile profile) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
      zip.write(new PprofFile().write(profile));
    }
    return bytes.toByteArray();
  }

  private byte[] write(WallProfile profile) {
    out.message(SAMPLE_TYPE, type("samples", "count"));
    out.message(SAMPLE_TYPE, type("wall", "nanoseconds"));
    profile.stacks().forEach(this::sample);
    out.number(TIME_NANOS, System.currentTimeMillis() * 1_000_000);
    out.number(DURATION_NANOS, profile.seconds() * 1_000_000_000L);
    out.message(PERIOD_TYPE, type("wall", "nanoseconds")).number(PERIOD, 20_000_000);
    out.number(DEFAULT_SAMPLE_TYPE, string("wall"));
    strings.keySet().forEach(text -> out.text(STRING_TABLE, text));
    return out.toBytes();
  }

  private ProtobufOutput type(String type, String unit) {
    return new ProtobufOutput().number(1, string(type)).number(2, string(unit));
  }

  private void sample(WallProfile.Stack stack) {
    ProfiledStack seen = stack.seen();
    List<Long> ids = new ArrayList<>();
    for (String frame : seen.frames()) {
      ids.add(location(frame));
    }
    if (ids.isEmpty()) {
      ids.add(location("[" + seen.state() + "]")); // pprof shows no sample without a location
    }
    ProtobufOutput sample = new ProtobufOutput().packed(1, ids);
    sample.packed(2, List.of(seen.samples(), seen.nanos()));
    label(sample, "state", seen.state());
    label(sample, "scheduler", stack.scheduler());
    if (!seen.site().isEmpty()) {
      label(sample, "created_by", seen.site());
    }
    seen.labels().forEach((key, value) -> label(sample, key, value));
    out.message(SAMPLE, sample);
  }

  private void label(ProtobufOutput sample, String key, String value) {
    sample.message(3, new ProtobufOutput().number(1, string(key)).number(2, string(value)));
  }

  /** Returns the id of a frame, which is written at its first use. */
  private long location(String frame) {
    Long known = locations.get(frame);
    if (known != null) {
      return known;
    }
    long id = locations.size() + 1L;
    locations.put(frame, id);
    int open = frame.lastIndexOf('(');
    String where = open < 0 ? "" : frame.substring(open + 1, frame.length() - 1);
    int colon = where.lastIndexOf(':');
    String file = colon < 0 ? "" : where.substring(0, colon);
    long function = function(new Method(open < 0 ? frame : frame.substring(0, open), file));
    ProtobufOutput line = new ProtobufOutput().number(1, function);
    if (colon >= 0) {
      line.number(2, Long.parseLong(where.substring(colon + 1)));
    }
    out.message(LOCATION, new ProtobufOutput().number(1, id).message(4, line));
    return id;
  }

  private long function(Method method) {
    Long known = functions.get(method);
    if (known != null) {
      return known;
    }
    long id = functions.size() + 1L;
    functions.put(method, id);
    long name = string(method.name());
    out.message(
        FUNCTION,
        new ProtobufOutput()
            .number(1, id)
            .number(2, name)
            .number(3, name)
            .number(4, string(method.file())));
    return id;
  }

  private long string(String text) {
    Long known = strings.get(text);
    if (known == null) {
      known = (long) strings.size();
      strings.put(text, known);
    }
    return known;
  }
}
