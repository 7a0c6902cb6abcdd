/**
 * The Spring Boot starter: auto-configuration that runs an application on goroutines.
 *
 * <ul>
 *   <li>{@link io.heddle.spring.HeddleProperties}: the settings {@code heddle.*} of an application
 *   <li>{@link io.heddle.spring.ConditionalOnHeddle}, {@link io.heddle.spring.OnHeddleCondition}:
 *       whether the starter is on
 *   <li>{@link io.heddle.spring.VirtualThreadsByDefault}: lets Boot use virtual threads unless the
 *       application says otherwise
 *   <li>{@link io.heddle.spring.HeddleAutoConfiguration}: the scheduler, and tasks on it
 *   <li>{@link io.heddle.spring.HeddleTomcatAutoConfiguration}, {@link
 *       io.heddle.spring.HeddleJettyAutoConfiguration}, {@link
 *       io.heddle.spring.HeddleKafkaAutoConfiguration}, {@link
 *       io.heddle.spring.HeddleGrpcAutoConfiguration}: servers and listeners on it
 *   <li>{@link io.heddle.spring.HeddleActuatorAutoConfiguration}, {@link
 *       io.heddle.spring.GoroutinesEndpoint}, {@link io.heddle.spring.SchedulerHealthIndicator}:
 *       what an operator sees
 *   <li>{@link io.heddle.spring.HeddleMetricsAutoConfiguration}: the meters of heddle-micrometer
 *   <li>{@link io.heddle.spring.HeddleOverloadAutoConfiguration}, {@link
 *       io.heddle.spring.OverloadFilter}: status 503 while goroutines wait too long
 *   <li>{@link io.heddle.spring.SchedulerFactoryBean}, {@link io.heddle.spring.HeddleSchedulers}:
 *       make and close the schedulers
 *   <li>{@link io.heddle.spring.GoroutineThreadFactory}, {@link
 *       io.heddle.spring.GoroutineExecutor}: goroutines with the names that Boot would give
 *   <li>{@link io.heddle.spring.JavaLangNotOpenException}, {@link
 *       io.heddle.spring.JavaLangNotOpenFailureAnalyzer}: the message about a missing flag
 * </ul>
 */
@org.jspecify.annotations.NullMarked
package io.heddle.spring;
