package io.heddle.context.propagation;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Scheduler;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * The security context of Spring arrives in goroutines: Spring Security registers it with
 * context-propagation by itself.
 */
@Timeout(30)
class SecurityContextTest {
  private static final String NONE = "(not authenticated)";

  private final BlockingQueue<String> arrived = new ArrayBlockingQueue<>(1);

  @BeforeEach
  void logIn() {
    SecurityContextHolder.getContext()
        .setAuthentication(new TestingAuthenticationToken("ann", "secret", "ROLE_CLERK"));
  }

  @AfterEach
  void logOut() {
    SecurityContextHolder.clearContext();
  }

  @Test
  void goroutinesRunAsTheUserOfTheirCaller() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(1).build();
        ExecutorService executor = scheduler.executor()) {
      scheduler.go(this::report);
      assertThat(arrived.take()).isEqualTo("ann [ROLE_CLERK]");
      executor.execute(this::report);
      assertThat(arrived.take()).isEqualTo("ann [ROLE_CLERK]");
      scheduler.threadFactory().newThread(this::report).start();
      assertThat(arrived.take()).isEqualTo("ann [ROLE_CLERK]");
    }
  }

  @Test
  void nothingIsLeftForTheNextTask() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      scheduler.go(this::report);
      assertThat(arrived.take()).startsWith("ann");
      SecurityContextHolder.clearContext();
      scheduler.go(this::report);
      assertThat(arrived.take()).isEqualTo(NONE);
    }
  }

  /** What the other tests show is not the doing of Spring. */
  @Test
  void nothingArrivesWithoutTheAdapter() throws Exception {
    try (Scheduler without = Scheduler.builder().procs(1).carry().build()) {
      without.go(this::report);
      assertThat(arrived.take()).isEqualTo(NONE);
    }
  }

  private void report() {
    Authentication user = SecurityContextHolder.getContext().getAuthentication();
    arrived.add(user == null ? NONE : user.getName() + " " + user.getAuthorities());
  }
}
