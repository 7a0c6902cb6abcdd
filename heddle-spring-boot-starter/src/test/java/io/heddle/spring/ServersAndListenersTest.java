package io.heddle.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.heddle.Go;
import io.heddle.Scheduler;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerAutoConfiguration;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerServicesAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.ConsumerFactory;

/**
 * Requests of both servers, listeners of Kafka and calls of gRPC run on goroutines.
 *
 * <p>The file is long because each server and listener has a small application here.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServersAndListenersTest {
  private static final String VIRTUAL = "spring.threads.virtual.enabled=true";
  private static final String ON_JDK = "heddle.enabled=false";

  @ParameterizedTest
  @ValueSource(
      classes = {
        TomcatServletWebServerAutoConfiguration.class,
        JettyServletWebServerAutoConfiguration.class
      })
  void requestsRunOnGoroutines(Class<?> server) {
    String name = server.getSimpleName().startsWith("Tomcat") ? "tomcat-handler-" : "jetty-";
    web(server).run(context -> assertThat(ask(context)).contains(name).contains(Goroutines.SHARED));
    web(server)
        .withPropertyValues("heddle.web-server.enabled=false")
        .run(context -> assertThat(ask(context)).contains(name).doesNotContain("heddle"));
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        TomcatServletWebServerAutoConfiguration.class,
        JettyServletWebServerAutoConfiguration.class
      })
  void requestsRunOnASchedulerOfTheirOwn(Class<?> server) {
    web(server)
        .withPropertyValues("heddle.schedulers.web.procs=2", "heddle.web-server.scheduler=web")
        .run(
            context -> {
              assertThat(ask(context)).contains("@heddle-web-M");
              HeddleSchedulers schedulers = context.getBean(HeddleSchedulers.class);
              assertThat(schedulers.get("web").procs()).isEqualTo(2);
              assertThatIllegalArgumentException()
                  .isThrownBy(() -> schedulers.get("ingest"))
                  .withMessageContaining("allowed are those of heddle.schedulers.*, [web]");
            });
  }

  @Test
  void unknownSchedulerOfAPartIsReported() {
    web(TomcatServletWebServerAutoConfiguration.class)
        .withPropertyValues("heddle.web-server.scheduler=web")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("heddle.web-server.scheduler"));
  }

  @Test
  void requestsAreAnsweredWith503WhileGoroutinesWait() {
    web(TomcatServletWebServerAutoConfiguration.class)
        .withPropertyValues(
            "heddle.scheduler.procs=1",
            "heddle.scheduler.time-slice=1h",
            "heddle.scheduler.overload=5ms")
        .run(
            context -> {
              Scheduler scheduler = context.getBean(Scheduler.class);
              OverloadFilter filter =
                  (OverloadFilter)
                      context
                          .getBean("heddleOverloadFilter", FilterRegistrationBean.class)
                          .getFilter();
              assertThat(ask(context)).contains("heddle-spring-M");
              CountDownLatch end = new CountDownLatch(1);
              scheduler.go(
                  () -> {
                    while (end.getCount() > 0) {
                      Thread.onSpinWait();
                    }
                  });
              while (status(filter, "/") != 503) {
                Thread.onSpinWait();
              }
              assertThat(status(filter, "/actuator/health")).isEqualTo(200);
              end.countDown();
              while (status(filter, "/") != 200) {
                Thread.onSpinWait();
              }
              while (!ask(context).contains("heddle-spring-M")) { // on a busy machine still 503
                Thread.onSpinWait();
              }
            });
  }

  /** The hogs let others run, but only after several targets, so the server still answers. */
  @Test
  void overloadedServerAnswersClientsWith503AndRecovers() {
    web(TomcatServletWebServerAutoConfiguration.class)
        .withPropertyValues(
            "heddle.scheduler.procs=1",
            "heddle.scheduler.time-slice=1h",
            "heddle.scheduler.overload=5ms")
        .run(
            context -> {
              assertThat(ask(context)).contains("heddle-spring-M");
              AtomicBoolean over = new AtomicBoolean();
              for (int i = 0; i < 2; i++) {
                context.getBean(Scheduler.class).go(() -> computeInTurns(over));
              }
              HttpResponse<String> answer = refused(context);
              assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
              assertThat(answer.body()).isEqualTo("overloaded\n");
              assertThat(get(context, "/actuator/health").statusCode()).isEqualTo(200);
              over.set(true);
              while (get(context, "/").statusCode() != 200) {
                Thread.onSpinWait();
              }
            });
  }

  /** Sends bursts of requests until one is refused. One request at a time makes no queue. */
  private static HttpResponse<String> refused(AssertableWebApplicationContext context)
      throws Exception {
    for (; ; ) {
      try (HttpClient client = HttpClient.newHttpClient()) {
        HttpRequest request = request(context, "/");
        List<CompletableFuture<HttpResponse<String>>> sent =
            IntStream.range(0, 20)
                .mapToObj(_ -> client.sendAsync(request, BodyHandlers.ofString()))
                .toList();
        for (CompletableFuture<HttpResponse<String>> each : sent) {
          if (each.get().statusCode() == 503) {
            return each.get();
          }
        }
      }
    }
  }

  private static void computeInTurns(AtomicBoolean over) {
    while (!over.get()) {
      long end = System.nanoTime() + 10_000_000;
      while (System.nanoTime() - end < 0) {
        Thread.onSpinWait();
      }
      Go.gosched();
    }
  }

  /** Returns the status that the filter sets; 200 if it lets the request through. */
  private static int status(OverloadFilter filter, String path) throws Exception {
    Map<String, Object> set = new HashMap<>();
    HttpServletRequest request =
        proxy(
            HttpServletRequest.class,
            (method, _) -> method.equals("getRequestURI") ? "/shop" + path : "/shop");
    HttpServletResponse response =
        proxy(
            HttpServletResponse.class,
            (method, arguments) -> {
              if (method.equals("getOutputStream")) {
                return new Discarded();
              }
              set.put(
                  arguments.length == 2 ? (String) arguments[0] : method,
                  arguments[arguments.length - 1]);
              return null;
            });
    filter.doFilter(request, response, (_, _) -> {});
    if (!set.isEmpty()) {
      assertThat(set).containsEntry("Retry-After", "1").containsEntry("setContentLength", 11);
    }
    return (int) set.getOrDefault("setStatus", 200);
  }

  private static <T> T proxy(Class<T> type, BiFunction<String, Object[], Object> calls) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) ->
                calls.apply(method.getName(), arguments == null ? new Object[0] : arguments)));
  }

  private static final class Discarded extends ServletOutputStream {
    @Override
    public void write(int b) {}

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {}
  }

  @Test
  void listenersOfKafkaRunOnGoroutines() {
    ApplicationContextRunner application =
        new ApplicationContextRunner()
            .withConfiguration(
                AutoConfigurations.of(
                    HeddleAutoConfiguration.class,
                    HeddleKafkaAutoConfiguration.class,
                    KafkaAutoConfiguration.class))
            .withUserConfiguration(Listening.class)
            .withPropertyValues(VIRTUAL);
    application.run(
        context ->
            assertThat(context.getBean(Listening.class).thread.get(30, TimeUnit.SECONDS))
                .contains("kafka-", Goroutines.SHARED));
    application
        .withPropertyValues(ON_JDK)
        .run(
            context ->
                assertThat(context.getBean(Listening.class).thread.get(30, TimeUnit.SECONDS))
                    .startsWith("VirtualThread[")
                    .doesNotContain("heddle"));
  }

  @Test
  void callsOfGrpcRunOnGoroutines() {
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                HeddleAutoConfiguration.class,
                HeddleGrpcAutoConfiguration.class,
                GrpcServerAutoConfiguration.class,
                GrpcServerServicesAutoConfiguration.class))
        .withPropertyValues(VIRTUAL, "spring.grpc.server.inprocess.name=starter")
        .withBean(BindableService.class, ThreadService::new)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              ManagedChannel channel = InProcessChannelBuilder.forName("starter").build();
              try {
                assertThat(
                        ClientCalls.blockingUnaryCall(
                            channel, ThreadService.THREAD, CallOptions.DEFAULT, ""))
                    .contains("grpc-", Goroutines.SHARED);
              } finally {
                channel.shutdownNow();
              }
            });
  }

  private static WebApplicationContextRunner web(Class<?> server) {
    return new WebApplicationContextRunner(AnnotationConfigServletWebServerApplicationContext::new)
        .withConfiguration(
            AutoConfigurations.of(
                HeddleAutoConfiguration.class,
                HeddleTomcatAutoConfiguration.class,
                HeddleJettyAutoConfiguration.class,
                HeddleOverloadAutoConfiguration.class,
                server))
        .withBean(
            ServletRegistrationBean.class, () -> new ServletRegistrationBean<>(servlet(), "/"))
        .withPropertyValues(VIRTUAL, "server.port=0", "server.address=127.0.0.1");
  }

  private static HttpServlet servlet() {
    return new HttpServlet() {
      @Override
      protected void doGet(HttpServletRequest request, HttpServletResponse response)
          throws IOException {
        response.getWriter().print(Thread.currentThread());
      }
    };
  }

  private static String ask(AssertableWebApplicationContext context) throws Exception {
    return get(context, "/").body();
  }

  private static HttpResponse<String> get(AssertableWebApplicationContext context, String path)
      throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request(context, path), BodyHandlers.ofString());
    }
  }

  private static HttpRequest request(AssertableWebApplicationContext context, String path) {
    assertThat(context).hasNotFailed();
    int port =
        context
            .getSourceApplicationContext(AnnotationConfigServletWebServerApplicationContext.class)
            .getWebServer()
            .getPort();
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
  }

  /** A listener, and a broker with one record. */
  @Configuration(proxyBeanMethods = false)
  static class Listening {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

    final CompletableFuture<String> thread = new CompletableFuture<>();

    @KafkaListener(topics = "orders", groupId = "shop")
    void order(String order) {
      thread.complete(Thread.currentThread().toString());
    }

    @Bean
    ConsumerFactory<Object, Object> consumers() {
      MockConsumer<Object, Object> consumer = new MockConsumer<>("earliest");
      consumer.schedulePollTask(
          () -> {
            consumer.updateBeginningOffsets(Map.of(ORDERS, 0L));
            consumer.rebalance(List.of(ORDERS));
            consumer.addRecord(new ConsumerRecord<>("orders", 0, 0L, "key", "an order"));
          });
      return new org.springframework.kafka.core.DefaultKafkaConsumerFactory<>(Map.of()) {
        @Override
        protected org.apache.kafka.clients.consumer.Consumer<Object, Object> createKafkaConsumer(
            Map<String, Object> configuration) {
          return consumer;
        }
      };
    }
  }

  /** Answers with the thread that runs the call. */
  private static final class ThreadService implements BindableService {
    static final MethodDescriptor<String, String> THREAD =
        MethodDescriptor.<String, String>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("acme.Threads/Thread")
            .setRequestMarshaller(new Text())
            .setResponseMarshaller(new Text())
            .build();

    @Override
    public ServerServiceDefinition bindService() {
      return ServerServiceDefinition.builder("acme.Threads")
          .addMethod(
              THREAD,
              ServerCalls.asyncUnaryCall(
                  (request, response) -> {
                    response.onNext(Thread.currentThread().toString());
                    response.onCompleted();
                  }))
          .build();
    }
  }

  private static final class Text implements MethodDescriptor.Marshaller<String> {
    @Override
    public InputStream stream(String text) {
      return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String parse(InputStream in) {
      try {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
