package acme;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A gRPC service of plain text: the request is a path with {@code ?n=} and a number. */
public final class GrpcService {
  private static final String NAME = "acme.Answers";

  public static final MethodDescriptor<String, String> ANSWER =
      MethodDescriptor.<String, String>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, "Answer"))
          .setRequestMarshaller(new Text())
          .setResponseMarshaller(new Text())
          .build();

  private GrpcService() {}

  public static ServerServiceDefinition definition() {
    return ServerServiceDefinition.builder(NAME)
        .addMethod(ANSWER, ServerCalls.asyncUnaryCall(GrpcService::answer))
        .build();
  }

  private static void answer(String request, StreamObserver<String> observer) {
    try {
      String[] parts = request.split("\\?", 2);
      observer.onNext(Answers.to(parts[0], parts[1]));
      observer.onCompleted();
    } catch (InterruptedException e) {
      observer.onError(e);
    }
  }

  private static final class Text implements Marshaller<String> {
    @Override
    public InputStream stream(String text) {
      return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String parse(InputStream stream) {
      try {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
