package io.heddle.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerAutoConfiguration;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerExecutorProvider;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;

/** Runs the calls of a gRPC server on goroutines, unless the application has its own executor. */
@AutoConfiguration(
    after = HeddleAutoConfiguration.class,
    before = GrpcServerAutoConfiguration.class)
@ConditionalOnClass(GrpcServerExecutorProvider.class)
@ConditionalOnThreading(Threading.VIRTUAL)
@ConditionalOnHeddle("grpc")
public final class HeddleGrpcAutoConfiguration {
  /** Called by Spring. */
  HeddleGrpcAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(GrpcServerExecutorProvider.class)
  static GrpcServerExecutorProvider heddleGrpcExecutor(HeddleSchedulers schedulers) {
    GoroutineExecutor executor = new GoroutineExecutor(schedulers.of("grpc"), "grpc-");
    return () -> executor;
  }
}
