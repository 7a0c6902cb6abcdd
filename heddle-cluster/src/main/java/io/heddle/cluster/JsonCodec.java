package io.heddle.cluster;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;

/** Writes JSON with Jackson; see {@link Codec#json}. */
final class JsonCodec<T> implements Codec<T> {
  private static final int MAX_DEPTH = 200;

  private static final Set<Class<?>> PLAIN =
      Set.of(
          String.class,
          Boolean.class,
          Byte.class,
          Short.class,
          Character.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          BigInteger.class,
          BigDecimal.class,
          UUID.class);

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
                  .build())
          .annotationIntrospector(new SealedTypes())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  private final Class<T> type;
  private final ObjectReader reader;
  private final ObjectWriter writer; // for the declared type: a sealed one writes its @type

  JsonCodec(Class<T> type) {
    this.type = type;
    check(type, type.getName(), new HashSet<>());
    this.reader = MAPPER.readerFor(type);
    this.writer = MAPPER.writerFor(type);
  }

  @Override
  public String type() {
    return "json";
  }

  @Override
  public byte[] encode(T value) {
    try {
      return writer.writeValueAsBytes(value);
    } catch (JacksonException e) {
      throw new CodecException("no JSON of a " + type.getName() + ": " + e.getOriginalMessage(), e);
    }
  }

  @Override
  public T decode(byte[] bytes) {
    T value;
    try {
      value = reader.readValue(bytes);
    } catch (JacksonException e) {
      throw new CodecException(
          "not the JSON of a " + type.getName() + ": " + e.getOriginalMessage(), e);
    }
    if (value == null) {
      throw new CodecException("not the JSON of a " + type.getName() + ": null");
    }
    return value;
  }

  /** Throws if a value of {@code type} could hold something that is not data. */
  private static void check(Type type, String where, Set<Class<?>> seen) {
    switch (type) {
      case Class<?> c -> checkClass(c, where, seen);
      case GenericArrayType array -> check(array.getGenericComponentType(), where, seen);
      case WildcardType wildcard -> check(wildcard.getUpperBounds()[0], where, seen);
      case ParameterizedType generic -> checkGeneric(generic, where, seen);
      default -> throw refused(type, where);
    }
  }

  private static void checkGeneric(ParameterizedType generic, String where, Set<Class<?>> seen) {
    Class<?> raw = (Class<?>) generic.getRawType();
    Type[] arguments = generic.getActualTypeArguments();
    boolean isContainer =
        Set.of(Collection.class, List.class, Set.class, Optional.class).contains(raw);
    if (isContainer) {
      check(arguments[0], where, seen);
    } else if (raw == Map.class && isKey(arguments[0])) {
      check(arguments[1], where, seen);
    } else {
      throw refused(generic, where);
    }
  }

  private static boolean isKey(Type key) {
    return key == String.class || (key instanceof Class<?> c && c.isEnum());
  }

  private static void checkClass(Class<?> type, String where, Set<Class<?>> seen) {
    if (isPlain(type) || !seen.add(type)) {
      return;
    }
    Class<?>[] permitted = type.getPermittedSubclasses();
    if (type.isArray()) {
      checkClass(type.getComponentType(), where, seen);
    } else if (type.isRecord()) {
      for (RecordComponent each : type.getRecordComponents()) {
        check(each.getGenericType(), type.getName() + "." + each.getName(), seen);
      }
    } else if (type.isInterface() && permitted != null) {
      for (Class<?> each : permitted) {
        checkClass(each, where, seen);
      }
    } else {
      throw refused(type, where);
    }
  }

  private static boolean isPlain(Class<?> type) {
    return type.isPrimitive()
        || type.isEnum()
        || PLAIN.contains(type)
        || type.getPackageName().equals("java.time");
  }

  private static CodecException refused(Type type, String where) {
    return new CodecException(
        where
            + ": JSON cannot carry a "
            + type.getTypeName()
            + ". Allowed are records, enums, sealed interfaces of these, strings, numbers,"
            + " booleans, java.time, UUID, and List, Set, Map<String, …>, Optional and arrays of"
            + " these. For other types give the channel a Codec of your own");
  }

  /** Adds the name of the record to values whose declared type is a sealed interface. */
  private static final class SealedTypes extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    @Override
    public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(
        MapperConfig<?> config, Annotated annotated) {
      JsonTypeInfo.Value own = super.findPolymorphicTypeInfo(config, annotated);
      boolean isSealed =
          annotated.getAnnotated() instanceof Class<?> type
              && type.isInterface()
              && type.isSealed();
      return own != null || !isSealed
          ? own
          : JsonTypeInfo.Value.construct(
              JsonTypeInfo.Id.SIMPLE_NAME,
              JsonTypeInfo.As.PROPERTY,
              "@type",
              null,
              false,
              Boolean.TRUE);
    }
  }
}
